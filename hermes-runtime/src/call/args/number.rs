//! Numbers by their exact decimal text; nothing passes through a double before the schema says so.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde_json::Number;

/// Beyond this a double no longer tells neighbouring integers apart.
const EXACT_DOUBLE: f64 = 9_007_199_254_740_992.0;

/// A JSON number that still knows how it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Num {
    /// An integer token within i64.
    Int(i64),
    /// An integer token above i64, within u64.
    UInt(u64),
    /// A double that was delivered as one; its spelling is lost.
    Double(f64),
    /// Any other token: a fraction, an exponent, or too large. `-0` too.
    Text(Box<str>),
}

/// A decimal read as an integer, exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// This integer.
    Exact(i128),
    /// Not an integer.
    Fraction,
    /// An integer beyond what JSON values hold here, or a double too large to be exact.
    TooLarge,
}

impl Num {
    /// Reads a token that follows JSON's grammar.
    pub(super) fn from_token(token: &str) -> Self {
        // "-0" is a double to serde_json as well.
        if token == "-0" {
            return Self::Text(token.into());
        }
        if let Ok(number) = token.parse::<i64>() {
            return Self::Int(number);
        }
        token
            .parse::<u64>()
            .map_or_else(|_| Self::Text(token.into()), Self::UInt)
    }

    /// An integer that JSON values here can hold.
    pub(super) fn from_whole(number: i128) -> Option<Self> {
        i64::try_from(number)
            .map(Self::Int)
            .or_else(|_| u64::try_from(number).map(Self::UInt))
            .ok()
    }

    pub(super) fn from_json(number: &Number) -> Self {
        if let Some(number) = number.as_i64() {
            Self::Int(number)
        } else if let Some(number) = number.as_u64() {
            Self::UInt(number)
        } else {
            Self::Double(number.as_f64().unwrap_or(f64::NAN))
        }
    }

    /// Reads text that a model put where a number belongs.
    ///
    /// JSON's grammar, plus what Python's `int()` and `float()` take with one reading: outer
    /// blanks, a plus sign, single underscores between digits, a bare leading or trailing point.
    /// Leading zeros are refused (`010` may be octal or an identifier), and so are hex, `inf`
    /// and thousands separators.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        decimal(text).map(|token| Self::from_token(&token))
    }

    /// Whether it is written as an integer and held as one.
    pub(super) fn is_integer(&self) -> bool {
        matches!(self, Self::Int(_) | Self::UInt(_))
    }

    /// The digits of an integer token of any length.
    pub(super) fn integer_spelling(&self) -> Option<String> {
        match self {
            Self::Int(number) => Some(number.to_string()),
            Self::UInt(number) => Some(number.to_string()),
            Self::Double(_) => None,
            Self::Text(text) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                digits
                    .bytes()
                    .all(|b| b.is_ascii_digit())
                    .then(|| text.to_string())
            }
        }
    }

    pub(super) fn whole(&self) -> Whole {
        match self {
            Self::Int(number) => Whole::Exact((*number).into()),
            Self::UInt(number) => Whole::Exact((*number).into()),
            Self::Double(number) if number.fract() != 0.0 => Whole::Fraction,
            Self::Double(number) if number.abs() < EXACT_DOUBLE => Whole::Exact(truncate(*number)),
            Self::Double(_) => Whole::TooLarge,
            Self::Text(text) => whole(text),
        }
    }

    /// The nearest double; infinite if it is too large.
    pub(super) fn double(&self) -> f64 {
        match self {
            Self::Int(number) => nearest((*number).into()),
            Self::UInt(number) => nearest((*number).into()),
            Self::Double(number) => *number,
            Self::Text(text) => text.parse().unwrap_or(f64::INFINITY),
        }
    }

    /// The plain JSON number; `None` if it isn't finite.
    pub(super) fn json(&self) -> Option<Number> {
        match self {
            Self::Int(number) => Some((*number).into()),
            Self::UInt(number) => Some((*number).into()),
            Self::Double(_) | Self::Text(_) => Number::from_f64(self.double()),
        }
    }

    /// Compares as numbers, exactly wherever both sides are integers.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self.bound(), other.bound()) {
            (Some(left), Some(right)) => Some(left.cmp(&right)),
            _ => self.double().partial_cmp(&other.double()),
        }
    }

    fn bound(&self) -> Option<i128> {
        match self {
            // A schema's own limits may be written as large doubles; those are exact integers.
            Self::Double(number) if number.fract() == 0.0 && number.abs() < 1e38 => {
                Some(truncate(*number))
            }
            _ => match self.whole() {
                Whole::Exact(number) => Some(number),
                Whole::Fraction | Whole::TooLarge => None,
            },
        }
    }

    /// Whether it is a multiple of `step`; doubles within rounding.
    pub(super) fn is_multiple_of(&self, step: &Self) -> bool {
        if let (Some(value), Some(step)) = (self.bound(), step.bound()) {
            return step == 0 || value % step == 0;
        }
        let quotient = self.double() / step.double();
        !quotient.is_finite() || (quotient - quotient.round()).abs() < 1e-9
    }

    /// JSON spelling.
    pub(super) fn spelling(&self) -> Cow<'_, str> {
        match self {
            Self::Int(number) => number.to_string().into(),
            Self::UInt(number) => number.to_string().into(),
            Self::Double(number) => {
                Number::from_f64(*number).map_or("null".into(), |number| number.to_string().into())
            }
            Self::Text(text) => Cow::Borrowed(text),
        }
    }
}

/// Cleans decimal text to a token of JSON's grammar (or nearly: `.5`, `5.`).
fn decimal(text: &str) -> Option<Cow<'_, str>> {
    let text = text.trim();
    let text = text
        .strip_prefix('+')
        .filter(|rest| !rest.starts_with('-'))
        .unwrap_or(text);
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    let digits = |part: &str| part.is_empty() || grouped_digits(part);
    let empty = integer.is_empty() && fraction.is_none_or(str::is_empty);
    let leading_zero = integer.len() > 1 && integer.starts_with('0');
    if empty || leading_zero || !digits(integer) || !fraction.is_none_or(digits) {
        return None;
    }
    if let Some(exponent) = exponent {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if exponent.is_empty() || !exponent.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
    }
    Some(if text.contains('_') {
        text.replace('_', "").into()
    } else {
        text.into()
    })
}

/// Digits with at most single underscores between them.
fn grouped_digits(part: &str) -> bool {
    part.split('_')
        .all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()))
}

/// Reads a decimal token as an integer without any rounding, in time linear in its length.
fn whole(token: &str) -> Whole {
    let (negative, unsigned) = match token.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, token),
    };
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{integer}{fraction}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Whole::Exact(0);
    }
    let significant = digits.trim_end_matches('0');
    // An exponent too long for i64 saturates; no mantissa that fits into memory outweighs it.
    let saturated = if exponent.starts_with('-') {
        i64::MIN / 2
    } else {
        i64::MAX / 2
    };
    let exponent = exponent
        .parse::<i64>()
        .unwrap_or(saturated)
        .clamp(i64::MIN / 2, i64::MAX / 2);
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX / 4);
    let zeros = exponent - length(fraction) + length(digits) - length(significant);
    if zeros < 0 {
        return Whole::Fraction;
    }
    // u64::MAX has 20 digits, so 38 leave room to spare and always fit into i128.
    if length(significant) + zeros > 38 {
        return Whole::TooLarge;
    }
    let mut number: i128 = 0;
    for digit in significant.bytes() {
        number = number * 10 + i128::from(digit - b'0');
    }
    for _ in 0..zeros {
        number *= 10;
    }
    Whole::Exact(if negative { -number } else { number })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "callers pass integral doubles below 1e38, which i128 holds"
)]
fn truncate(number: f64) -> i128 {
    number as i128
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the nearest double is what is asked for"
)]
fn nearest(number: i128) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests;
