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
#[hermes_tool(
    inline,
    read_only,
    idempotent,
    emoji = "🧮",
    example(ask = "What is 3 to the power of 20?", args = { "expression": "3**20" }),
    example(ask = "What's 17.5% of 240?", args = { "expression": "17.5 / 100 * 240" }),
    example(ask = "Square root of 625?", args = { "expression": "sqrt(625)" }),
    example(ask = "What is 12 times 34?", args = { "expression": "12 * 34" }),
    example(ask = "Multiply 4871 by 9234.", args = { "expression": "4871 * 9234" }),
    example(ask = "What is 1000 divided by 8?", args = { "expression": "1000 / 8" }),
    example(ask = "Add 458 and 967.", args = { "expression": "458 + 967" }),
    example(ask = "What is 5000 minus 1234?", args = { "expression": "5000 - 1234" }),
    example(ask = "(3 + 4) * 5 - 6", args = { "expression": "(3 + 4) * 5 - 6" }),
    example(ask = "Compute 6 factorial.", args = { "expression": "factorial(6)" }),
    example(ask = "Three tickets at 12.50 and two at 8.75: what is the total?", args = { "expression": "3 * 12.50 + 2 * 8.75" }),
    example(ask = "If I pack 500 eggs into boxes of 12, how many are left over?", args = { "expression": "500 % 12" }),
)]
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
#[hermes_tool(
    inline,
    read_only,
    idempotent,
    emoji = "📏",
    example(
        ask = "How many miles is a 10 kilometer run?",
        args = { "value": 10, "from_unit": "kilometers", "to_unit": "miles" },
    ),
    example(
        ask = "Convert 100 Celsius to Kelvin.",
        args = { "value": 100, "from_unit": "Celsius", "to_unit": "Kelvin" },
    ),
    example(
        ask = "I weigh 154 pounds. What's that in kilos?",
        args = { "value": 154, "from_unit": "pounds", "to_unit": "kg" },
    ),
    example(
        ask = "It's -4 °F outside, how cold is that in Celsius?",
        args = { "value": -4, "from_unit": "F", "to_unit": "Celsius" },
    ),
    example(
        ask = "How many MB is 2 GB?",
        args = { "value": 2, "from_unit": "GB", "to_unit": "MB" },
    ),
    example(
        ask = "How many seconds are in 45 minutes?",
        args = { "value": 45, "from_unit": "minutes", "to_unit": "seconds" },
    ),
    example(
        ask = "How many feet is 3 meters?",
        args = { "value": 3, "from_unit": "meters", "to_unit": "feet" },
    ),
    example(
        ask = "150 grams in ounces",
        args = { "value": 150, "from_unit": "grams", "to_unit": "ounces" },
    ),
    example(
        ask = "He is 6.2 feet tall; in centimeters?",
        args = { "value": 6.2, "from_unit": "feet", "to_unit": "centimeters" },
    ),
)]
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
