//! The tools: thin handlers over `eval` and `units`.

use crate::eval::{EvalError, evaluate, float_text};
use crate::units::convert;
use hermes_core::JsonNumber;
use hermes_core::prelude::*;

/// A computed expression.
#[hermes_schema]
struct Calculation {
    /// The expression as it was given
    expression: String,
    /// Its value: integers are exact, whatever their length
    result: JsonNumber,
}

/// Evaluate a mathematical expression and return the result. Supports arithmetic
/// (+, -, *, /, //, %, **; ^ is power too), functions (sqrt, sin, cos, tan, log, ln, log2, log10,
/// exp, abs, round, floor, ceil, min, max, pow, factorial) and constants (pi, e, tau). Integers
/// are exact. Use this for any math the user asks about.
#[hermes_tool(inline, read_only, idempotent, emoji = "🧮")]
fn calculate(
    /// Math expression to evaluate (e.g., '2**10', 'sqrt(144)')
    expression: String,
) -> Result<Calculation, ToolError> {
    match evaluate(&expression) {
        Ok(number) => match JsonNumber::from_text(number.to_json()) {
            Some(result) => Ok(Calculation { expression, result }),
            None => Err(ToolError::new("Invalid: the result is no JSON number")
                .field("expression", expression)),
        },
        Err(error @ EvalError::Empty) => Err(error.into()),
        Err(error) => Err(ToolError::from(error).field("expression", shortened(expression))),
    }
}

/// An expression beside an error; one that is a page long helps nobody.
fn shortened(expression: String) -> String {
    const SHOWN: usize = 200;
    match expression.char_indices().nth(SHOWN) {
        None => expression,
        Some((at, _)) => format!("{}…", &expression[..at]),
    }
}

/// A converted value.
#[hermes_schema]
struct Conversion {
    /// What was asked: value and unit
    input: String,
    /// The converted value
    result: JsonNumber,
    /// The converted value with its unit
    output: String,
}

/// Convert a value between units. Supports length (m, km, mi, ft, in, cm), weight (kg, g, lb, oz),
/// temperature (C, F, K), data (B, KB, MB, GB, TB) and time (ms, s, min, hr, day); names such as
/// 'celsius' or 'miles' work too.
#[hermes_tool(inline, read_only, idempotent, emoji = "📏")]
fn unit_convert(
    /// The numeric value to convert
    value: f64,
    /// Source unit (e.g., 'km', 'lb', 'F', 'GB')
    from_unit: &str,
    /// Target unit (e.g., 'mi', 'kg', 'C', 'MB')
    to_unit: &str,
) -> Result<Conversion, ToolError> {
    let converted = convert(value, from_unit, to_unit)?;
    // The same text in both places; another writer of floats would say 0.000006 for 6e-06.
    match JsonNumber::from_text(float_text(converted.result)) {
        Some(result) => Ok(Conversion {
            input: converted.input,
            result,
            output: converted.output,
        }),
        None => Err(ToolError::new(
            "Conversion failed: the result is no JSON number",
        )),
    }
}
