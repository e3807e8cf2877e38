//! The two kinds of number, their text, and exact roads between them.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};

/// A value: an integer of any size, or a float that is never infinite or NaN.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    /// Exact.
    Int(BigInt),
    /// Finite.
    Float(f64),
}

impl Number {
    /// The number as JSON, letter by letter what Python's `json.dumps` prints: `12`, `12.0`,
    /// `1e+16`, `1e-07`, `-0.0`. An integer may be beyond what a JSON reader keeps exactly.
    pub fn to_json(&self) -> String {
        match self {
            Self::Int(value) => value.to_string(),
            Self::Float(value) => float_text(*value),
        }
    }
}

/// A finite float as Python's `repr`: the fewest digits that read back as the same value, a
/// fraction even on whole numbers, an exponent below 1e-4 and from 1e16.
pub fn float_text(value: f64) -> String {
    let scientific = shortest(value);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (minus, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{minus}{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
    let mut digits = mantissa.replace('.', "");
    let Ok(before_point) = usize::try_from(exponent + 1) else {
        let zeros = usize::try_from(-1 - exponent).unwrap_or(0);
        return format!("{minus}0.{}{digits}", "0".repeat(zeros));
    };
    while digits.len() <= before_point {
        digits.push('0');
    }
    let (whole, fraction) = digits.split_at(before_point);
    match whole {
        "" => format!("{minus}0.{fraction}"),
        whole => format!("{minus}{whole}.{fraction}"),
    }
}

/// Scientific notation with the fewest digits. Where two candidates are equally near, as .2 and
/// .3 are to 1410930685734229.25, std takes the upper one and Python the even one.
fn shortest(value: f64) -> String {
    let upper = format!("{value:e}");
    let digits = upper
        .bytes()
        .take_while(|byte| *byte != b'e')
        .filter(u8::is_ascii_digit)
        .count();
    let even = format!("{value:.*e}", digits.saturating_sub(1));
    if even.parse() == Ok(value) {
        even
    } else {
        upper
    }
}

/// The float nearest to `value`, ties to even; `None` beyond the range of floats.
pub(super) fn int_to_float(value: &BigInt) -> Option<f64> {
    if let Ok(small) = i64::try_from(value) {
        #[expect(
            clippy::cast_precision_loss,
            reason = "to nearest, ties to even, is wanted"
        )]
        return Some(small as f64);
    }
    let magnitude = rounded(value.magnitude(), false, 0)?;
    Some(signed(magnitude, value.sign() == Sign::Minus))
}

/// `left / right` as the nearest float, as if both were divided exactly and rounded once. The
/// divisor isn't zero. `None` if the quotient is beyond the range of floats.
pub(super) fn quotient(left: &BigInt, right: &BigInt) -> Option<f64> {
    let negative = (left.sign() == Sign::Minus) != (right.sign() == Sign::Minus);
    if left.sign() == Sign::NoSign {
        return Some(signed(0.0, negative));
    }
    let (left, right) = (left.magnitude(), right.magnitude());
    // 66 bits are more than a mantissa and a rounding bit; what is cut off becomes `sticky`.
    let shift = 66 + signed_bits(right) - signed_bits(left);
    let distance = shift.unsigned_abs();
    let (numerator, denominator) = if shift >= 0 {
        (left << distance, right.clone())
    } else {
        (left.clone(), right << distance)
    };
    let whole = &numerator / &denominator;
    let sticky = &whole * &denominator != numerator;
    Some(signed(rounded(&whole, sticky, -shift)?, negative))
}

/// The whole part of a finite float.
pub(super) fn float_to_int(value: f64) -> BigInt {
    let (mantissa, exponent) = parts(value);
    let distance = exponent.unsigned_abs();
    let magnitude = if exponent >= 0 {
        BigUint::from(mantissa) << distance
    } else {
        BigUint::from(mantissa) >> distance
    };
    let sign = if value < 0.0 { Sign::Minus } else { Sign::Plus };
    BigInt::from_biguint(sign, magnitude)
}

/// Splits `value > 0` into a float in [0.5, 1) and a power of two, as C's `frexp` does.
pub(super) fn fraction_and_exponent(value: &BigInt) -> Option<(f64, u64)> {
    let bits = value.bits();
    let fraction = rounded(value.magnitude(), false, -signed_bits(value.magnitude()))?;
    if fraction < 1.0 {
        Some((fraction, bits))
    } else {
        Some((0.5, bits + 1))
    }
}

/// Compares by value, exactly, also across kinds.
pub(super) fn compare(left: &Number, right: &Number) -> Ordering {
    match (left, right) {
        (Number::Int(left), Number::Int(right)) => left.cmp(right),
        (Number::Float(left), Number::Float(right)) => {
            left.partial_cmp(right).unwrap_or(Ordering::Equal)
        }
        (Number::Int(left), Number::Float(right)) => int_with_float(left, *right),
        (Number::Float(left), Number::Int(right)) => int_with_float(right, *left).reverse(),
    }
}

fn int_with_float(left: &BigInt, right: f64) -> Ordering {
    let below = right.floor();
    match left.cmp(&float_to_int(below)) {
        Ordering::Equal if below < right => Ordering::Less,
        other => other,
    }
}

/// Rounds an integer to a multiple of `unit > 0`, ties to even.
pub(super) fn round_to_multiple(value: &BigInt, unit: &BigUint) -> BigInt {
    let nearest = nearest_multiple(value.magnitude(), unit);
    BigInt::from_biguint(value.sign(), nearest * unit)
}

/// Rounds a float to `digits` decimal places as Python does: on its exact binary value, ties
/// to even. Negative places are left of the point. `None` if that overflows.
pub(super) fn round_to_places(value: f64, digits: i64) -> Option<f64> {
    // Beyond these bounds all digits stay, or none (float.__round__).
    const MOST: i64 = 323;
    const LEAST: i64 = -308;
    if digits > MOST {
        return Some(value);
    }
    if digits < LEAST {
        return Some(signed(0.0, value.is_sign_negative()));
    }
    let Ok(places) = usize::try_from(digits) else {
        return round_left_of_point(value, digits.unsigned_abs());
    };
    format!("{value:.places$}").parse().ok()
}

fn round_left_of_point(value: f64, zeros: u64) -> Option<f64> {
    let unit = BigUint::from(10_u8).pow(u32::try_from(zeros).ok()?);
    let (mantissa, exponent) = parts(value);
    let distance = exponent.unsigned_abs();
    let mantissa = BigUint::from(mantissa);
    let multiple = if exponent >= 0 {
        nearest_multiple(&(mantissa << distance), &unit)
    } else {
        nearest_multiple(&mantissa, &(&unit << distance))
    };
    let magnitude = rounded(&(multiple * unit), false, 0)?;
    Some(signed(magnitude, value.is_sign_negative()))
}

/// The whole number nearest to `value / unit`, ties to even.
fn nearest_multiple(value: &BigUint, unit: &BigUint) -> BigUint {
    let below = value / unit;
    let twice = (value - &below * unit) << 1_u8;
    match twice.cmp(unit) {
        Ordering::Less => below,
        Ordering::Equal if !below.bit(0) => below,
        _ => below + 1_u8,
    }
}

/// The float nearest to `mantissa × 2^exponent`, ties to even, subnormals included; `sticky`
/// says that there is a little more, less than one unit of `mantissa`. `None` on overflow.
fn rounded(mantissa: &BigUint, sticky: bool, exponent: i64) -> Option<f64> {
    const PRECISION: i64 = 53;
    const LOWEST: i64 = -1074; // exponent of the smallest subnormal
    const HIGHEST: i64 = 1024; // all floats are below 2^1024

    let length = signed_bits(mantissa);
    let top = length + exponent;
    if length == 0 || top < LOWEST {
        return Some(0.0);
    }
    if top > HIGHEST {
        return None;
    }
    let dropped = length - PRECISION.min(top - LOWEST);
    let Ok(cut) = u64::try_from(dropped) else {
        let value = small_to_float(mantissa)? * power_of_two(exponent);
        return value.is_finite().then_some(value);
    };
    let mut kept = mantissa >> cut;
    if cut > 0 && mantissa.bit(cut - 1) {
        let beyond_half = sticky
            || mantissa
                .trailing_zeros()
                .is_some_and(|zeros| zeros < cut - 1);
        if beyond_half || kept.bit(0) {
            kept += 1_u8;
        }
    }
    let value = small_to_float(&kept)? * power_of_two(exponent + dropped);
    value.is_finite().then_some(value)
}

/// At most 2^53, so exact.
#[expect(
    clippy::cast_precision_loss,
    reason = "the callers pass at most 53 bits"
)]
fn small_to_float(value: &BigUint) -> Option<f64> {
    u64::try_from(value).ok().map(|value| value as f64)
}

/// 2^exponent for -1074..=1023, zero or infinity beyond.
fn power_of_two(exponent: i64) -> f64 {
    match exponent {
        1024.. => f64::INFINITY,
        -1022..=1023 => f64::from_bits((exponent + 1023).unsigned_abs() << 52),
        -1074..=-1023 => f64::from_bits(1 << (exponent + 1074)),
        _ => 0.0,
    }
}

/// Mantissa and exponent of a float without its sign: `mantissa × 2^exponent`, exactly.
fn parts(value: f64) -> (u64, i64) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52) & 0x7ff {
        0 => (fraction, -1074),
        biased => (
            fraction | 1 << 52,
            i64::try_from(biased).unwrap_or(0) - 1075,
        ),
    }
}

fn signed(magnitude: f64, negative: bool) -> f64 {
    if negative { -magnitude } else { magnitude }
}

/// Number of bits as a signed number; our integers are far from the bound.
fn signed_bits(value: &BigUint) -> i64 {
    i64::try_from(value.bits()).unwrap_or(i64::MAX)
}
