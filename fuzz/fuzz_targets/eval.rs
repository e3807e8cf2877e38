//! No text makes the evaluator panic, and each result is a JSON number within its limits.
//!
//! `cargo +nightly fuzz run eval`; the corpus is replayed by the calculator's `tests/corpus.rs`.

#![no_main]

use hermes_plugin_calculator::eval::{MAX_DIGITS, Number, evaluate};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|expression: &str| {
    match evaluate(expression) {
        Ok(number) => {
            let json = number.to_json();
            match number {
                Number::Int(value) => {
                    assert_eq!(json.parse(), Ok(value));
                    assert!(json.trim_start_matches('-').len() <= MAX_DIGITS);
                }
                Number::Float(value) => {
                    assert!(value.is_finite());
                    assert_eq!(json.parse::<f64>().map(f64::to_bits), Ok(value.to_bits()));
                }
            }
            // A result is an expression of the same value.
            assert_eq!(evaluate(&json).map(|again| again.to_json()), Ok(json));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
