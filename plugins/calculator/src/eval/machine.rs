//! Runs the postfix program that the parser wrote: a stack, no recursion.

use num_bigint::{BigInt, Sign};

use super::budget::{Budget, bounded};
use super::functions::{Function, call, factorial};
use super::number::{int_to_float, quotient};
use super::{EvalError, Limit, MAX_DIGITS, Number};

/// One step of a program.
#[derive(Debug)]
pub(super) enum Step {
    Push(Number),
    Negate,
    Factorial,
    Binary(Binary),
    /// Function and number of arguments.
    Call(Function, usize),
}

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    FloorDivide,
    Modulo,
    Power,
}

/// Runs a program and checks the length of its result.
pub(super) fn run(program: Vec<Step>) -> Result<Number, EvalError> {
    let mut budget = Budget::new();
    let mut stack: Vec<Number> = Vec::new();
    for step in program {
        let value = match step {
            Step::Push(value) => value,
            Step::Negate => match pop(&mut stack)? {
                Number::Int(value) => Number::Int(-value),
                Number::Float(value) => Number::Float(-value),
            },
            Step::Factorial => factorial(&pop(&mut stack)?, &mut budget)?,
            Step::Binary(operator) => {
                let right = pop(&mut stack)?;
                let left = pop(&mut stack)?;
                binary(operator, left, right, &mut budget)?
            }
            Step::Call(function, count) => {
                let arguments = stack.split_off(stack.len().saturating_sub(count));
                call(function, arguments, &mut budget)?
            }
        };
        stack.push(value);
    }
    let result = pop(&mut stack)?;
    match &result {
        Number::Int(value) if is_too_long(value) => Err(Limit::Digits.into()),
        _ => Ok(result),
    }
}

/// The parser writes balanced programs, so the stack is never empty here.
fn pop(stack: &mut Vec<Number>) -> Result<Number, EvalError> {
    stack.pop().ok_or(EvalError::Empty)
}

fn is_too_long(value: &BigInt) -> bool {
    // 10^4300 has 14,285 bits.
    match value.bits() {
        ..=14_284 => false,
        14_285 => value.magnitude().to_string().len() > MAX_DIGITS,
        14_286.. => true,
    }
}

fn binary(
    operator: Binary,
    left: Number,
    right: Number,
    budget: &mut Budget,
) -> Result<Number, EvalError> {
    match (operator, left, right) {
        (Binary::Power, left, right) => power(left, right, budget),
        (operator, Number::Int(left), Number::Int(right)) => {
            integers(operator, &left, &right, budget)
        }
        (operator, left, right) => floats(operator, to_float(&left)?, to_float(&right)?),
    }
}

fn integers(
    operator: Binary,
    left: &BigInt,
    right: &BigInt,
    budget: &mut Budget,
) -> Result<Number, EvalError> {
    let value = match operator {
        Binary::Add => {
            budget.spend_sum(left, right)?;
            left + right
        }
        Binary::Subtract => {
            budget.spend_sum(left, right)?;
            left - right
        }
        Binary::Multiply => {
            budget.spend_product(left, right)?;
            left * right
        }
        Binary::Divide => {
            check_divisor(right)?;
            budget.spend_sum(left, right)?;
            budget.spend_sum(left, right)?;
            return quotient(left, right)
                .map(Number::Float)
                .ok_or(EvalError::IntTooLargeForFloat);
        }
        Binary::FloorDivide => floor_divide(left, right, budget)?.0,
        Binary::Modulo => floor_divide(left, right, budget)?.1,
        Binary::Power => return int_power(left, right, budget),
    };
    bounded(value).map(Number::Int)
}

/// Quotient rounded down, and the rest, which has the sign of the divisor.
fn floor_divide(
    left: &BigInt,
    right: &BigInt,
    budget: &mut Budget,
) -> Result<(BigInt, BigInt), EvalError> {
    check_divisor(right)?;
    budget.spend_product(left, right)?;
    let quotient = left / right;
    let rest = left - &quotient * right;
    if rest.sign() != Sign::NoSign && rest.sign() != right.sign() {
        return Ok((quotient - 1_u8, rest + right));
    }
    Ok((quotient, rest))
}

fn check_divisor(divisor: &BigInt) -> Result<(), EvalError> {
    if divisor.sign() == Sign::NoSign {
        return Err(EvalError::DivisionByZero);
    }
    Ok(())
}

/// `left ** right`.
pub(super) fn power(left: Number, right: Number, budget: &mut Budget) -> Result<Number, EvalError> {
    match (left, right) {
        (Number::Int(base), Number::Int(exponent)) => int_power(&base, &exponent, budget),
        (base, exponent) => float_power(to_float(&base)?, to_float(&exponent)?),
    }
}

fn int_power(base: &BigInt, exponent: &BigInt, budget: &mut Budget) -> Result<Number, EvalError> {
    if exponent.sign() == Sign::Minus {
        let as_float = |value| int_to_float(value).ok_or(EvalError::IntTooLargeForFloat);
        return float_power(as_float(base)?, as_float(exponent)?);
    }
    if base.bits() <= 1 {
        // 0, 1 and -1 take exponents of any size.
        let flips = base.sign() == Sign::Minus && !exponent.bit(0);
        let is_one = exponent.sign() == Sign::NoSign || flips;
        return Ok(Number::Int(if is_one {
            BigInt::from(1_u8)
        } else {
            base.clone()
        }));
    }
    let Ok(exponent) = u32::try_from(exponent) else {
        return Err(Limit::Digits.into());
    };
    budget.spend_power(base, exponent.into())?;
    bounded(base.pow(exponent)).map(Number::Int)
}

fn float_power(base: f64, exponent: f64) -> Result<Number, EvalError> {
    if base == 0.0 && exponent < 0.0 {
        return Err(EvalError::DivisionByZero);
    }
    if base < 0.0 && exponent.floor() < exponent {
        return Err(EvalError::Complex);
    }
    finite(base.powf(exponent))
}

fn floats(operator: Binary, left: f64, right: f64) -> Result<Number, EvalError> {
    if right == 0.0
        && matches!(
            operator,
            Binary::Divide | Binary::FloorDivide | Binary::Modulo
        )
    {
        return Err(EvalError::DivisionByZero);
    }
    finite(match operator {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left * right,
        Binary::Divide => left / right,
        Binary::FloorDivide => float_floor_divide(left, right).0,
        Binary::Modulo => float_floor_divide(left, right).1,
        Binary::Power => return float_power(left, right),
    })
}

/// Quotient rounded down, and the rest; the steps of `float_divmod` in `CPython`'s
/// `floatobject.c`, so that the last bit and the sign of a zero agree.
fn float_floor_divide(left: f64, right: f64) -> (f64, f64) {
    let mut rest = left % right;
    let mut quotient = (left - rest) / right;
    if rest == 0.0 {
        rest = 0.0_f64.copysign(right);
    } else if (right < 0.0) != (rest < 0.0) {
        rest += right;
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return (0.0_f64.copysign(left / right), rest);
    }
    let floor = quotient.floor();
    let floor = if quotient - floor > 0.5 {
        floor + 1.0
    } else {
        floor
    };
    (floor, rest)
}

fn finite(value: f64) -> Result<Number, EvalError> {
    if value.is_finite() {
        return Ok(Number::Float(value));
    }
    Err(EvalError::NotFinite)
}

/// The value as a float, which fails on large integers only.
pub(super) fn to_float(value: &Number) -> Result<f64, EvalError> {
    match value {
        Number::Int(value) => int_to_float(value).ok_or(EvalError::IntTooLargeForFloat),
        Number::Float(value) => Ok(*value),
    }
}
