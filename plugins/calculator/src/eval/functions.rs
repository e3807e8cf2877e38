//! The table of functions, and what they do.

use std::cmp::Ordering;

use num_bigint::{BigInt, BigUint, Sign};

use super::budget::{Budget, bounded};
use super::machine::{power, to_float};
use super::number::{
    compare, float_to_int, fraction_and_exponent, round_to_multiple, round_to_places,
};
use super::{EvalError, Limit, Number};

/// A function of the table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Function {
    Abs,
    Ceil,
    Factorial,
    Floor,
    /// One argument: `ln` too.
    Log,
    Max,
    Min,
    Pow,
    Round,
    /// A logarithm with a fixed base, which works on integers beyond floats.
    LogOf(fn(f64) -> f64),
    /// Float in, float out.
    Real(fn(f64) -> f64),
}

/// A row: name, fewest and most arguments, what it does.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) arguments: (usize, usize),
    pub(super) function: Function,
}

const fn row(name: &'static str, arguments: (usize, usize), function: Function) -> Row {
    Row {
        name,
        arguments,
        function,
    }
}

const ROWS: &[Row] = &[
    row("sqrt", (1, 1), Function::Real(f64::sqrt)),
    row("sin", (1, 1), Function::Real(f64::sin)),
    row("cos", (1, 1), Function::Real(f64::cos)),
    row("tan", (1, 1), Function::Real(f64::tan)),
    row("asin", (1, 1), Function::Real(f64::asin)),
    row("acos", (1, 1), Function::Real(f64::acos)),
    row("atan", (1, 1), Function::Real(f64::atan)),
    row("log", (1, 2), Function::Log),
    row("log2", (1, 1), Function::LogOf(f64::log2)),
    row("log10", (1, 1), Function::LogOf(f64::log10)),
    row("ln", (1, 1), Function::LogOf(f64::ln)),
    row("exp", (1, 1), Function::Real(f64::exp)),
    row("abs", (1, 1), Function::Abs),
    row("round", (1, 2), Function::Round),
    row("floor", (1, 1), Function::Floor),
    row("ceil", (1, 1), Function::Ceil),
    row("min", (1, usize::MAX), Function::Min),
    row("max", (1, usize::MAX), Function::Max),
    row("pow", (2, 2), Function::Pow),
    row("factorial", (1, 1), Function::Factorial),
];

/// The row of a function; any case.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// The value of a constant; any case.
pub(super) fn constant(name: &str) -> Option<f64> {
    use std::f64::consts;

    match name.to_ascii_lowercase().as_str() {
        "pi" | "π" => Some(consts::PI),
        "e" => Some(consts::E),
        "tau" => Some(consts::TAU),
        _ => None,
    }
}

/// All function names, in the order of the table.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

/// Calls a function; the parser has checked the number of arguments.
pub(super) fn call(
    function: Function,
    arguments: Vec<Number>,
    budget: &mut Budget,
) -> Result<Number, EvalError> {
    match function {
        Function::Max => extreme(arguments, Ordering::Greater, budget),
        Function::Min => extreme(arguments, Ordering::Less, budget),
        _ => {
            let mut arguments = arguments.into_iter();
            let Some(first) = arguments.next() else {
                return Err(EvalError::Domain);
            };
            with_first(function, first, arguments.next(), budget)
        }
    }
}

fn with_first(
    function: Function,
    first: Number,
    second: Option<Number>,
    budget: &mut Budget,
) -> Result<Number, EvalError> {
    match (function, first) {
        (Function::Real(real), first) => finite_or_domain(real(to_float(&first)?)),
        (Function::LogOf(log), first) => logarithm(&first, log).map(Number::Float),
        (Function::Log, first) => {
            let value = logarithm(&first, f64::ln)?;
            let Some(base) = second else {
                return Ok(Number::Float(value));
            };
            match logarithm(&base, f64::ln)? {
                0.0 => Err(EvalError::DivisionByZero),
                base => finite_or_domain(value / base),
            }
        }
        (Function::Abs, Number::Int(value)) => Ok(Number::Int(value.magnitude().clone().into())),
        (Function::Abs, Number::Float(value)) => Ok(Number::Float(value.abs())),
        (Function::Floor, Number::Float(value)) => Ok(Number::Int(float_to_int(value.floor()))),
        (Function::Ceil, Number::Float(value)) => Ok(Number::Int(float_to_int(value.ceil()))),
        (Function::Floor | Function::Ceil, whole @ Number::Int(_)) => Ok(whole),
        (Function::Factorial, value) => factorial(&value, budget),
        (Function::Round, value) => round(value, second, budget),
        (Function::Pow, base) => match second {
            Some(exponent) => power(base, exponent, budget),
            None => Ok(base),
        },
        (Function::Max | Function::Min, value) => Ok(value),
    }
}

/// `n!`, also for the postfix operator.
pub(super) fn factorial(value: &Number, budget: &mut Budget) -> Result<Number, EvalError> {
    // 4000! has 42,100 bits, more than MAX_BITS, so larger arguments need no multiplication.
    const MOST: u32 = 4000;

    let Number::Int(value) = value else {
        return Err(EvalError::Factorial);
    };
    if value.sign() == Sign::Minus {
        return Err(EvalError::Factorial);
    }
    let count = match u32::try_from(value) {
        Ok(count) if count <= MOST => count,
        _ => return Err(Limit::Digits.into()),
    };
    // Each factor is multiplied into at most 12 bits per factor so far.
    budget.spend(u64::from(count) * u64::from(count) / 16 + 1)?;
    let mut product = BigInt::from(1_u8);
    let mut block = 1_u64;
    for factor in 2..=count {
        block *= u64::from(factor);
        if block >= 1 << 48 {
            product = bounded(product * block)?;
            block = 1;
        }
    }
    bounded(product * block).map(Number::Int)
}

/// A float result; an operation on finite floats that gives NaN was outside its domain.
fn finite_or_domain(value: f64) -> Result<Number, EvalError> {
    if value.is_nan() {
        return Err(EvalError::Domain);
    }
    if value.is_infinite() {
        return Err(EvalError::NotFinite);
    }
    Ok(Number::Float(value))
}

/// A logarithm of a positive number, as `loghelper` in `CPython`'s `mathmodule.c`: an integer
/// beyond floats is split into a fraction and a power of two.
fn logarithm(value: &Number, log: fn(f64) -> f64) -> Result<f64, EvalError> {
    let positive = match value {
        Number::Int(value) => value.sign() == Sign::Plus,
        Number::Float(value) => *value > 0.0,
    };
    if !positive {
        return Err(EvalError::Domain);
    }
    if let Ok(value) = to_float(value) {
        return Ok(log(value));
    }
    let Number::Int(value) = value else {
        return Err(EvalError::Domain);
    };
    let Some((fraction, exponent)) = fraction_and_exponent(value) else {
        return Err(EvalError::IntTooLargeForFloat);
    };
    #[expect(clippy::cast_precision_loss, reason = "at most MAX_BITS + 1")]
    let exponent = exponent as f64;
    Ok(log(fraction) + log(2.0) * exponent)
}

/// The least or greatest argument, the first of equals, with its own type.
fn extreme(
    arguments: Vec<Number>,
    wanted: Ordering,
    budget: &mut Budget,
) -> Result<Number, EvalError> {
    let mut arguments = arguments.into_iter();
    let Some(mut best) = arguments.next() else {
        return Err(EvalError::Domain);
    };
    for argument in arguments {
        if let (Number::Int(left), Number::Int(right)) = (&argument, &best) {
            budget.spend_sum(left, right)?;
        } else {
            budget.spend(16)?; // the integer part of a float has up to 1024 bits
        }
        if compare(&argument, &best) == wanted {
            best = argument;
        }
    }
    Ok(best)
}

/// Half to even; without digits to an integer, with digits to the type of `value`.
fn round(value: Number, digits: Option<Number>, budget: &mut Budget) -> Result<Number, EvalError> {
    let digits = match digits {
        None => None,
        Some(Number::Int(digits)) => Some(clamp(&digits)),
        Some(Number::Float(_)) => return Err(EvalError::RoundDigits),
    };
    match (value, digits) {
        (Number::Float(value), None) => Ok(Number::Int(float_to_int(value.round_ties_even()))),
        (Number::Float(value), Some(digits)) => {
            budget.spend(64 + 16 * digits.unsigned_abs().min(324))?; // printed and read back
            let rounded = round_to_places(value, digits).ok_or(EvalError::NotFinite)?;
            Ok(Number::Float(rounded))
        }
        (Number::Int(value), Some(digits)) if digits < 0 => {
            let zeros = digits.unsigned_abs();
            // 10^n has more than 3n bits, so it is more than twice the value.
            if zeros.saturating_mul(3) > value.bits() + 1 {
                return Ok(Number::Int(BigInt::from(0_u8)));
            }
            let ten = BigInt::from(10_u8);
            budget.spend_power(&ten, zeros)?;
            budget.spend_product(&value, &value)?;
            let unit = BigUint::from(10_u8).pow(u32::try_from(zeros).unwrap_or(u32::MAX));
            bounded(round_to_multiple(&value, &unit)).map(Number::Int)
        }
        (whole @ Number::Int(_), _) => Ok(whole),
    }
}

/// More digits than any number has are all the same.
fn clamp(digits: &BigInt) -> i64 {
    match i64::try_from(digits) {
        Ok(digits) => digits,
        Err(_) if digits.sign() == Sign::Minus => i64::MIN,
        Err(_) => i64::MAX,
    }
}
