//! Arithmetic with Python's operator rules: text in, an exact integer or a finite float out.
//!
//! Not a code evaluator: there are numbers, operators, brackets and the functions of a fixed
//! table, nothing else. Four limits keep any input cheap; all are checked before work is done:
//!
//! | what | limit |
//! |---|---|
//! | length of the expression | [`MAX_INPUT_BYTES`] |
//! | brackets and powers inside each other | [`MAX_DEPTH`] |
//! | size of an integer | result [`MAX_DIGITS`], on the way there [`MAX_BITS`] |
//! | big-integer work of one expression | [`MAX_WORK`] |
//!
//! The rules are those of `CPython` 3.11, and `tests/differential.rs` compares the JSON text of both.
//! What differs on purpose: `^` is power, an infinite value is an error wherever it appears,
//! `min` and `max` take one argument too, `ln`, `5!`, `×`, `÷`, `·`, `−` and `π` are
//! understood, names may be written in any case.

mod budget;
mod error;
mod functions;
mod lexer;
mod machine;
mod number;
mod parser;
#[cfg(test)]
mod tests;

pub use error::{EvalError, Limit, SyntaxError};
pub use number::{Number, float_text};

/// Longest expression that is looked at, in bytes of UTF-8.
pub const MAX_INPUT_BYTES: usize = 64 * 1024;

/// Deepest nesting of brackets, calls and right-hand sides of powers; a debug build needs less
/// than 768 KiB of stack for it.
pub const MAX_DEPTH: usize = 100;

/// Most decimal digits of an integer literal or result; `CPython`'s limit for int to text.
pub const MAX_DIGITS: usize = 4300;

/// Most bits of an integer on the way to the result: room for the product of two of the longest
/// ones, so that `10**4000 * 10**4000 // 10**4000` still works.
pub const MAX_BITS: u64 = 32 * 1024;

/// Most steps on 64-bit limbs that the integers of one expression may cost: a few milliseconds.
pub const MAX_WORK: u64 = 8_000_000;

/// Computes `expression`.
///
/// Integers are exact, `/` and most functions give floats; each operator follows Python.
///
/// # Errors
/// [`EvalError`], whose text is meant to be shown as it is. Syntax errors come before
/// arithmetic ones.
pub fn evaluate(expression: &str) -> Result<Number, EvalError> {
    if expression.len() > MAX_INPUT_BYTES {
        return Err(EvalError::Limit(Limit::Input {
            bytes: expression.len(),
        }));
    }
    let tokens = lexer::tokens(expression)?;
    if tokens.is_empty() {
        return Err(EvalError::Empty);
    }
    machine::run(parser::parse(tokens)?)
}
