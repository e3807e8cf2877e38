//! Conversion between units of length, weight, data, time and temperature.
//!
//! A unit is known by its symbol and by its name, singular and plural, in any case. `MB` and its
//! like count in steps of 1024 bytes; mile, foot, inch, pound and ounce are the international
//! ones, exactly.

use std::fmt;

use crate::eval::float_text;

#[cfg(test)]
mod tests;

/// A converted value, ready to be told.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversion {
    /// What was asked, `<value> <unit>`; a whole number without a fraction: `100 F`.
    pub input: String,
    /// The converted value: finite and rounded, never `-0.0`.
    pub result: f64,
    /// The answer, `<result> <unit>`, the number as JSON has it: `1536.0 GB`.
    pub output: String,
}

/// Why a value can't be converted. Units are spelled as the caller did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnitError {
    /// A unit is empty or blank.
    Blank,
    /// A unit is unknown, or the two measure different things.
    Incompatible {
        /// Unit of the value.
        from: String,
        /// Wanted unit.
        to: String,
    },
    /// The value is infinite or not a number.
    NotFinite,
    /// A temperature that can't exist.
    BelowAbsoluteZero {
        /// The value with its unit.
        input: String,
        /// Absolute zero in the same unit.
        absolute_zero: String,
    },
    /// The converted value is beyond the range of floats.
    TooLarge {
        /// The value with its unit.
        input: String,
        /// Wanted unit.
        to: String,
    },
}

impl std::error::Error for UnitError {}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blank => f.write_str("Need value, from_unit, and to_unit"),
            Self::Incompatible { from, to } => write!(f, "Cannot convert {from} → {to}"),
            Self::NotFinite => f.write_str("Conversion failed: the value must be a finite number"),
            Self::BelowAbsoluteZero {
                input,
                absolute_zero,
            } => write!(
                f,
                "Conversion failed: {input} is below absolute zero ({absolute_zero})"
            ),
            Self::TooLarge { input, to } => {
                write!(
                    f,
                    "Conversion failed: {input} is too large to convert to {to}"
                )
            }
        }
    }
}

/// Converts `value` from one unit to another.
///
/// Temperatures are rounded to 4 decimal places, all else to 6 (Hermes' rule), so 1e-9 m is 0.0 km.
///
/// # Errors
/// [`UnitError`], whose text is meant to be shown as it is.
pub fn convert(value: f64, from: &str, to: &str) -> Result<Conversion, UnitError> {
    let (from, to) = (from.trim(), to.trim());
    if from.is_empty() || to.is_empty() {
        return Err(UnitError::Blank);
    }
    let incompatible = || UnitError::Incompatible {
        from: shortened(from),
        to: shortened(to),
    };
    let (Some(source), Some(target)) = (find(from), find(to)) else {
        return Err(incompatible());
    };
    if !value.is_finite() {
        return Err(UnitError::NotFinite);
    }
    let input = format!("{} {from}", input_text(value));
    let converted = match (source, target) {
        (Unit::Scaled(kind, source), Unit::Scaled(other, target)) if kind == other => {
            to_places(scaled(value, source, target), 6)
        }
        (Unit::Temperature(source), Unit::Temperature(target)) => {
            let zero = absolute_zero(source);
            if value < zero {
                let absolute_zero = format!("{} {from}", input_text(zero));
                return Err(UnitError::BelowAbsoluteZero {
                    input,
                    absolute_zero,
                });
            }
            to_places(temperature(value, source, target), 4)
        }
        _ => return Err(incompatible()),
    };
    if !converted.is_finite() {
        let to = to.to_owned();
        return Err(UnitError::TooLarge { input, to });
    }
    let result = converted + 0.0; // -0.0 becomes 0.0
    Ok(Conversion {
        input,
        result,
        output: format!("{} {to}", float_text(result)),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Length,
    Weight,
    Data,
    Time,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    Celsius,
    Fahrenheit,
    Kelvin,
}

/// A unit is a number of its kind's smallest part (micrometre, nanogram, byte, millisecond), a
/// whole number that a float holds exactly, or a temperature scale.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    Scaled(Kind, f64),
    Temperature(Scale),
}

/// The unit of a name in any case, `None` if there is none.
fn find(name: &str) -> Option<Unit> {
    use Kind::{Data, Length, Time, Weight};
    use Unit::Scaled;

    let name = name.to_lowercase();
    let unit = match name.as_str() {
        "m" | "meter" | "meters" | "metre" | "metres" => Scaled(Length, 1e6),
        "km" | "kilometer" | "kilometers" | "kilometre" | "kilometres" => Scaled(Length, 1e9),
        "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => Scaled(Length, 1e4),
        "mi" | "mile" | "miles" => Scaled(Length, 1_609_344_000.0),
        "ft" | "foot" | "feet" => Scaled(Length, 304_800.0),
        "in" | "inch" | "inches" => Scaled(Length, 25_400.0),

        "kg" | "kilogram" | "kilograms" => Scaled(Weight, 1e12),
        "g" | "gram" | "grams" => Scaled(Weight, 1e9),
        "lb" | "lbs" | "pound" | "pounds" => Scaled(Weight, 453_592_370_000.0),
        "oz" | "ounce" | "ounces" => Scaled(Weight, 28_349_523_125.0),

        "b" | "byte" | "bytes" => Scaled(Data, 1.0),
        "kb" | "kilobyte" | "kilobytes" => Scaled(Data, 1024.0),
        "mb" | "megabyte" | "megabytes" => Scaled(Data, 1_048_576.0),
        "gb" | "gigabyte" | "gigabytes" => Scaled(Data, 1_073_741_824.0),
        "tb" | "terabyte" | "terabytes" => Scaled(Data, 1_099_511_627_776.0),

        "ms" | "msec" | "millisecond" | "milliseconds" => Scaled(Time, 1.0),
        "s" | "sec" | "secs" | "second" | "seconds" => Scaled(Time, 1e3),
        "min" | "mins" | "minute" | "minutes" => Scaled(Time, 6e4),
        "h" | "hr" | "hrs" | "hour" | "hours" => Scaled(Time, 3.6e6),
        "d" | "day" | "days" => Scaled(Time, 8.64e7),

        name => Unit::Temperature(scale(name)?),
    };
    Some(unit)
}

fn scale(name: &str) -> Option<Scale> {
    let bare = ["°", "degrees ", "degree ", "deg "]
        .iter()
        .find_map(|prefix| name.strip_prefix(prefix))
        .unwrap_or(name);
    match bare.trim_start() {
        "c" | "celsius" | "centigrade" => Some(Scale::Celsius),
        "f" | "fahrenheit" => Some(Scale::Fahrenheit),
        "k" | "kelvin" | "kelvins" => Some(Scale::Kelvin),
        _ => None,
    }
}

/// `value × up / down` without an overflow or a loss on the way if the result itself is fine.
fn scaled(value: f64, up: f64, down: f64) -> f64 {
    let product = value * up;
    if product.is_finite() && value.abs() >= f64::MIN_POSITIVE {
        return product / down;
    }
    value * (up / down)
}

fn absolute_zero(scale: Scale) -> f64 {
    match scale {
        Scale::Celsius => -273.15,
        Scale::Fahrenheit => -459.67,
        Scale::Kelvin => 0.0,
    }
}

/// Each pair has its own formula: a detour over a third scale would lose digits.
fn temperature(value: f64, from: Scale, to: Scale) -> f64 {
    match (from, to) {
        (Scale::Celsius, Scale::Fahrenheit) => scaled(value, 9.0, 5.0) + 32.0,
        (Scale::Celsius, Scale::Kelvin) => value + 273.15,
        (Scale::Fahrenheit, Scale::Celsius) => scaled(value - 32.0, 5.0, 9.0),
        (Scale::Fahrenheit, Scale::Kelvin) => scaled(value + 459.67, 5.0, 9.0),
        (Scale::Kelvin, Scale::Celsius) => value - 273.15,
        (Scale::Kelvin, Scale::Fahrenheit) => scaled(value, 9.0, 5.0) - 459.67,
        _ => value,
    }
}

/// Rounds on the exact binary value, ties to even, as Python does.
fn to_places(value: f64, places: usize) -> f64 {
    format!("{value:.places$}").parse().unwrap_or(value)
}

/// A value for `input`. Whole numbers are told without a fraction as far as floats hold each
/// of them; beyond that an exponent says that they are approximate.
fn input_text(value: f64) -> String {
    const EXACT: f64 = 9_007_199_254_740_992.0; // 2^53

    if value.abs() <= EXACT && value.fract() == 0.0 {
        return format!("{:.0}", value + 0.0);
    }
    float_text(value)
}

/// A unit for a message: what isn't one may be of any length.
fn shortened(unit: &str) -> String {
    const MOST: usize = 40;

    match unit.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &unit[..end]),
        None => unit.to_owned(),
    }
}
