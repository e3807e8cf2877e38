//! Why arguments were refused; each message is one line, written for the model.

use super::path::Field;

/// Members or names listed in one message.
const LISTED: usize = 20;

/// Arguments that can't be read without guessing.
///
/// Displays as one line that names the argument, what was expected, what came and what to send
/// instead. The tool's name is not in it: dispatch puts that before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArgsError {
    /// The root is JSON, or just words, but no object.
    #[error(
        "the arguments must be a JSON object, got {got}; send for example {{\"name\": \"value\"}}"
    )]
    NotObject {
        /// What came, cut off.
        got: String,
    },
    /// The text ends inside a value or with open brackets.
    #[error(
        "truncated text in {field}: it ends inside a value after {length} characters; send the call again, complete, with less text or in several calls"
    )]
    Truncated {
        /// The arguments, or the argument whose text was parsed.
        field: Field,
        /// Characters that arrived.
        length: usize,
    },
    /// A word that is no JSON value, `NaN` above all.
    #[error(
        "`{token}` in {field} is not a JSON value; send a number, quoted text, true, false or null"
    )]
    Token {
        /// The arguments, or the argument whose text was parsed.
        field: Field,
        /// The word.
        token: String,
    },
    /// A backslash that could mean several things.
    #[error("invalid escape `{escape}` in {field}; write every literal backslash as `\\\\`")]
    Escape {
        /// The arguments, or the argument whose text was parsed.
        field: Field,
        /// The escape as written.
        escape: String,
    },
    /// Nested more deeply than any parser on the way would take.
    #[error(
        "recursion limit: more than {limit} levels of nesting in {field}; send a flatter value"
    )]
    Depth {
        /// The arguments, or the argument that is too deep.
        field: Field,
        /// Levels that are allowed.
        limit: usize,
    },
    /// Any other fault of notation.
    #[error(
        "invalid JSON in {field}: expected {expected}, got {near}; send one JSON object with double quotes"
    )]
    Syntax {
        /// The arguments, or the argument whose text was parsed.
        field: Field,
        /// What belongs there.
        expected: &'static str,
        /// What stands there, cut off.
        near: String,
    },
    /// Several different objects in a row.
    #[error("got {count} JSON objects where one belongs; make one call for each")]
    Several {
        /// Different objects, without empty leading ones.
        count: usize,
    },
    /// A key with two different values.
    #[error("{field} is given twice with different values; send it once")]
    Duplicate {
        /// The key.
        field: Field,
    },
    /// The arguments are still nested after one layer was removed.
    #[error("the arguments are nested under `{key}`; send its content directly")]
    Wrapped {
        /// The outer key.
        key: &'static str,
    },
    /// A value of a type that has no exact reading as the wanted one.
    #[error("{field} must be {expected}, got {got}{}", hint(example.as_deref()))]
    Type {
        /// The argument.
        field: Field,
        /// The wanted type in words.
        expected: String,
        /// What came, cut off.
        got: String,
        /// A value that would do.
        example: Option<String>,
    },
    /// A number outside its range.
    #[error("{field} must be {expected}, got {got}")]
    Range {
        /// The argument.
        field: Field,
        /// Type and range in words.
        expected: String,
        /// What came, cut off.
        got: String,
    },
    /// Text or a list of the wrong length, or a list with repeated items.
    #[error("{field} must have {expected}, got {got}")]
    Size {
        /// The argument.
        field: Field,
        /// The limit in words.
        expected: String,
        /// What came.
        got: String,
    },
    /// Not one of the allowed values.
    #[error("{field} must be one of {}, got {got}{}", list(allowed), meant(nearest.as_deref()))]
    Choice {
        /// The argument.
        field: Field,
        /// The allowed values in JSON spelling.
        allowed: Vec<String>,
        /// What came, cut off.
        got: String,
        /// The allowed value that looks like it.
        nearest: Option<String>,
    },
    /// Fits several forms of a union in different ways.
    #[error(
        "{field} can be read in several ways ({expected}), got {got}; send exactly one of these forms"
    )]
    Ambiguous {
        /// The argument.
        field: Field,
        /// The forms in words.
        expected: String,
        /// What came, cut off.
        got: String,
    },
    /// A required argument is not there.
    #[error("{field} is missing ({about}); arguments are: {}{}", list(arguments), instead(nearest.as_deref()))]
    Missing {
        /// The argument.
        field: Field,
        /// Its type and the start of its description.
        about: String,
        /// All declared names beside it.
        arguments: Vec<String>,
        /// An unknown key that came, and the missing name it resembles.
        nearest: Option<Box<(String, String)>>,
    },
    /// A key that a closed object doesn't have.
    #[error("{field} is not an argument here{}; allowed: {}", meant(nearest.as_deref()), list(allowed))]
    Unknown {
        /// The key.
        field: Field,
        /// The names that exist.
        allowed: Vec<String>,
        /// The name that looks like it.
        nearest: Option<String>,
    },
    /// The schema allows no value here, refers to itself without end, or has so many overlapping
    /// forms that judging the value would take too long. Not the model's fault.
    #[error(
        "{field} can't be judged: {reason}; this is a fault of the tool's schema, try a simpler value"
    )]
    Schema {
        /// The argument.
        field: Field,
        /// What is wrong with the schema.
        reason: &'static str,
    },
}

fn hint(example: Option<&str>) -> String {
    example.map_or_else(String::new, |example| {
        format!("; send for example {example}")
    })
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| {
        format!("; did you mean `{}`?", nearest.trim_matches('"'))
    })
}

fn instead(nearest: Option<&(String, String)>) -> String {
    nearest.map_or_else(String::new, |pair| {
        format!("; got `{}`, did you mean `{}`?", pair.0, pair.1)
    })
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let mut text = names
        .iter()
        .take(LISTED)
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(", ");
    if names.len() > LISTED {
        text.push_str(", … (");
        text.push_str(&names.len().to_string());
        text.push_str(" in all)");
    }
    text
}
