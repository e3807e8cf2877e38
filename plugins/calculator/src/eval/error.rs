//! What can be wrong with an expression, and how it is told.

use std::fmt;

use super::{MAX_DEPTH, MAX_DIGITS, MAX_INPUT_BYTES, functions};

/// Why an expression has no value. The text is ready for the caller of the tool; all but the
/// first two begin with `Invalid: `.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EvalError {
    /// Nothing but blanks.
    Empty,
    /// A zero divisor, or zero to a negative power.
    DivisionByZero,
    /// The argument of a function is outside its domain, such as `sqrt(-1)`.
    Domain,
    /// A negative number to a fractional power.
    Complex,
    /// An overflow to infinity, or a use of `inf` or `nan`, which JSON can't carry.
    NotFinite,
    /// An integer meets a float, but is beyond the range of floats.
    IntTooLargeForFloat,
    /// `factorial` of something else than a whole number from 0 up.
    Factorial,
    /// The second argument of `round` isn't an integer.
    RoundDigits,
    /// A call of a function that doesn't exist.
    UnknownFunction(String),
    /// A name that is no constant.
    UnknownName(String),
    /// A function without its brackets.
    NotCalled(&'static str),
    /// A function with too many or too few arguments.
    Arguments {
        /// Its name as we spell it.
        function: &'static str,
        /// Fewest and most arguments it takes.
        wanted: (usize, usize),
        /// How many there were.
        got: usize,
    },
    /// The text isn't an expression.
    Syntax(SyntaxError),
    /// The expression is larger than this calculator works on.
    Limit(Limit),
}

/// Where and how a text stops being an expression. Positions count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SyntaxError {
    /// The text stops where a value is due.
    End {
        /// The last thing before the end.
        after: String,
    },
    /// A bracket is never closed.
    Unclosed {
        /// Position of the opening bracket.
        at: usize,
    },
    /// Something stands in the wrong place.
    Unexpected {
        /// What it is.
        found: String,
        /// Where it is.
        at: usize,
    },
    /// A character with no meaning in an expression.
    Character {
        /// What it is.
        found: char,
        /// Where it is.
        at: usize,
    },
    /// Digits that are no number, such as `1__0`, `012` or `2pi`.
    Number {
        /// The text up to the next operator.
        text: String,
        /// Where it begins.
        at: usize,
    },
    /// `!!`, which could mean two things.
    DoubleFactorial {
        /// Where the second one is.
        at: usize,
    },
}

/// Which limit an expression is beyond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// The text is too long.
    Input {
        /// Its length.
        bytes: usize,
    },
    /// Brackets, calls or powers are nested too deeply.
    Depth,
    /// An integer literal is too long.
    Literal {
        /// Position of its first character.
        at: usize,
    },
    /// The result, or a value on the way to it, is too long.
    Digits,
    /// The integers are within the limits, but there are too many operations on long ones.
    Work,
}

impl From<SyntaxError> for EvalError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

impl From<Limit> for EvalError {
    fn from(limit: Limit) -> Self {
        Self::Limit(limit)
    }
}

impl std::error::Error for EvalError {}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => return f.write_str("No expression provided"),
            Self::DivisionByZero => return f.write_str("Division by zero"),
            _ => f.write_str("Invalid: ")?,
        }
        match self {
            Self::Empty | Self::DivisionByZero => Ok(()),
            Self::Domain => f.write_str("math domain error"),
            Self::Complex => {
                f.write_str("a negative number to a fractional power is not a real number")
            }
            Self::NotFinite => f.write_str("the result is not a finite number"),
            Self::IntTooLargeForFloat => f.write_str("an integer is too large for a float"),
            Self::Factorial => f.write_str("factorial needs a whole number from 0 up"),
            Self::RoundDigits => {
                f.write_str("the second argument of round must be a whole number of digits")
            }
            Self::UnknownFunction(name) => write!(
                f,
                "unknown function `{name}`; known are {}",
                functions::names().collect::<Vec<_>>().join(", ")
            ),
            Self::UnknownName(name) => {
                write!(f, "unknown name `{name}`; the constants are pi, e, tau")
            }
            Self::NotCalled(name) => write!(
                f,
                "function `{name}` needs its arguments in brackets, for example {name}(2)"
            ),
            Self::Arguments {
                function,
                wanted,
                got,
            } => {
                write!(f, "{function} takes ")?;
                match *wanted {
                    (1, 1) => f.write_str("1 argument")?,
                    (least, most) if least == most => write!(f, "{least} arguments")?,
                    (least, usize::MAX) => write!(f, "{least} or more arguments")?,
                    (least, most) => write!(f, "{least} to {most} arguments")?,
                }
                write!(f, ", got {got}")
            }
            Self::Syntax(error) => error.fmt(f),
            Self::Limit(limit) => limit.fmt(f),
        }
    }
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End { after } => write!(f, "unexpected end after `{after}`"),
            Self::Unclosed { at } => write!(f, "the bracket at position {at} is never closed"),
            Self::Unexpected { found, at } if found == "," => write!(
                f,
                "unexpected `,` at position {at}; write numbers without separators, as 1000"
            ),
            Self::Unexpected { found, at } => write!(f, "unexpected `{found}` at position {at}"),
            Self::Character { found, at } => write!(
                f,
                "unexpected character {} at position {at}; only numbers, + - * / // % ** ( ) \
                 and functions are understood",
                if found.is_control() {
                    format!("U+{:04X}", u32::from(*found))
                } else {
                    format!("`{found}`")
                }
            ),
            Self::Number { text, at } => write!(f, "`{text}` at position {at} is not a number"),
            Self::DoubleFactorial { at } => write!(
                f,
                "`!!` at position {at} could mean two things; use factorial(…)"
            ),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input { bytes } => write!(
                f,
                "the expression has {bytes} bytes, the limit is {MAX_INPUT_BYTES}"
            ),
            Self::Depth => write!(
                f,
                "brackets or powers are nested more than {MAX_DEPTH} levels deep"
            ),
            Self::Literal { at } => write!(
                f,
                "the number at position {at} has more than {MAX_DIGITS} digits"
            ),
            Self::Digits => write!(f, "the result has more than {MAX_DIGITS} digits"),
            Self::Work => f.write_str(
                "the expression needs too much work on long integers; split it into steps",
            ),
        }
    }
}
