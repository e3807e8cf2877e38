//! How much the integers of one expression may grow and cost.

use num_bigint::BigInt;

use super::{EvalError, Limit, MAX_BITS, MAX_WORK};

/// Counts the work of one expression down. Deterministic, unlike a clock: the same expression
/// is accepted or refused on every machine.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self { left: MAX_WORK }
    }

    /// Pays for `steps` operations on limbs.
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), Limit> {
        match self.left.checked_sub(steps) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(Limit::Work),
        }
    }

    /// Pays for an operation that looks at each limb of both numbers once.
    pub(super) fn spend_sum(&mut self, left: &BigInt, right: &BigInt) -> Result<(), Limit> {
        self.spend(limbs(left.bits()) + limbs(right.bits()))
    }

    /// Pays for an operation that meets each limb of one number with each of the other: a
    /// product, a division.
    pub(super) fn spend_product(&mut self, left: &BigInt, right: &BigInt) -> Result<(), Limit> {
        self.spend(limbs(left.bits()) * limbs(right.bits()))
    }

    /// Checks a size that a result is known to reach, then pays for computing it by repeated
    /// squaring.
    pub(super) fn spend_power(&mut self, base: &BigInt, exponent: u64) -> Result<(), Limit> {
        let bits = base.bits();
        if bits.saturating_sub(1).saturating_mul(exponent) >= MAX_BITS {
            return Err(Limit::Digits);
        }
        let length = limbs(bits.saturating_mul(exponent));
        self.spend(length.saturating_mul(length))
    }
}

/// Length of a number of `bits` bits; at least 1, so that nothing is free.
fn limbs(bits: u64) -> u64 {
    bits / 64 + 1
}

/// Passes an integer on if it is within the slack for values on the way.
pub(super) fn bounded(value: BigInt) -> Result<BigInt, EvalError> {
    if value.bits() > MAX_BITS {
        return Err(Limit::Digits.into());
    }
    Ok(value)
}
