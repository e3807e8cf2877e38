//! A tool's result in an answer.

use serde_json::Value;

/// Longest result that is shown whole.
const MOST: usize = 2000;

/// Whether a tool answered with an error.
pub(super) fn is_error(result: &str) -> bool {
    serde_json::from_str::<Value>(result).is_ok_and(|result| result.get("error").is_some())
}

/// What is said of a call that failed.
pub(super) fn failure(result: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(result).ok();
    let error = parsed.as_ref().and_then(|result| result["error"].as_str());
    format!("That didn't work: {}", error.unwrap_or(result))
}

/// The question to be answered with a result.
pub(super) fn question(question: &str, result: &str) -> String {
    format!(
        "{question}\nThe tool's result: {}\nAnswer in one sentence with this result.",
        value(result)
    )
}

/// The part of a result that says it: `output` or `result` if that is one value, else all of it.
fn value(result: &str) -> String {
    let parsed: Option<Value> = serde_json::from_str(result).ok();
    let part = parsed.as_ref().and_then(|result| {
        ["output", "result"]
            .iter()
            .filter_map(|name| result.get(name))
            .find(|part| !part.is_object() && !part.is_array())
    });
    match part {
        Some(Value::String(text)) => text.clone(),
        Some(part) => part.to_string(),
        None => match result.char_indices().nth(MOST) {
            Some((at, _)) => format!("{}…", &result[..at]),
            None => result.to_owned(),
        },
    }
}

/// Adds a number that the answer should hold and doesn't: small models copy digits wrongly.
pub(super) fn complete(answer: &mut String, result: &str) {
    if is_error(result) {
        return;
    }
    let value = value(result);
    let first = value.split_whitespace().next().unwrap_or_default();
    let Ok(number) = first.parse::<f64>() else {
        return;
    };
    let is_said = answer.contains(&value) || numbers(answer).any(|said| is_about(&said, number));
    if !is_said {
        if !answer.trim().is_empty() {
            answer.push('\n');
        }
        answer.push_str("Result: ");
        answer.push_str(&value);
    }
}

/// A number in a text.
struct Said {
    value: f64,
    /// What its last digit that isn't a zero at its end counts: 0.1 in 37.8, 100 in 65,500.
    unit: f64,
}

/// A model rounds: 37.8 tells 37.7778. A wrong digit is no rounding, however small the difference.
fn is_about(said: &Said, number: f64) -> bool {
    let difference = (said.value - number).abs();
    // A little more than half: neither of the two is exact.
    difference <= 0.500_001 * said.unit && difference <= 0.005 * number.abs()
}

/// The numbers in a text, thousands separators or not.
fn numbers(text: &str) -> impl Iterator<Item = Said> + '_ {
    text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | '-')))
        .filter_map(|word| {
            let word = word.trim_end_matches(['.', ',', '-']).replace(',', "");
            let value = word.parse().ok()?;
            let places = match word.split_once('.') {
                Some((_, decimals)) => -i32::try_from(decimals.len()).ok()?,
                None => i32::try_from(word.len() - word.trim_end_matches('0').len()).ok()?,
            };
            let unit = 10_f64.powi(places);
            Some(Said { value, unit })
        })
}

#[cfg(test)]
mod tests {
    use super::{complete, is_error, question};

    #[test]
    fn the_value_is_told_and_a_large_result_cut() {
        for (result, told) in [
            (r#"{"expression":"2+2","result":4}"#, "4"),
            (
                r#"{"input":"1 km","result":0.62,"output":"0.62 mi"}"#,
                "0.62 mi",
            ),
            (r#"{"result":{"a":1}}"#, r#"{"result":{"a":1}}"#),
            (r#"{"city":"Rome"}"#, r#"{"city":"Rome"}"#),
        ] {
            let asked = question("Q?", result);
            assert!(asked.contains(&format!("result: {told}\n")), "{asked}");
        }
        assert!(question("Q?", &"ä".repeat(5000)).chars().count() < 2200);
    }

    #[test]
    fn a_number_that_is_missing_is_added() {
        for (answer, result, expected) in [
            ("It is 65,536.", r#"{"result":65536}"#, "It is 65,536."),
            (
                "About 37.8 degrees.",
                r#"{"result":37.7778}"#,
                "About 37.8 degrees.",
            ),
            (
                "It is 148,520.",
                r#"{"result":14852}"#,
                "It is 148,520.\nResult: 14852",
            ),
            (
                "It is 65,563.",
                r#"{"result":65536}"#,
                "It is 65,563.\nResult: 65536",
            ),
            ("About 65,500.", r#"{"result":65536}"#, "About 65,500."),
            ("", r#"{"output":"0.62 mi"}"#, "Result: 0.62 mi"),
            ("Sunny.", r#"{"result":"sunny"}"#, "Sunny."),
            ("It went wrong.", r#"{"error":"no"}"#, "It went wrong."),
            (
                "It is minus five: -5.",
                r#"{"result":-5}"#,
                "It is minus five: -5.",
            ),
        ] {
            let mut told = answer.to_owned();
            complete(&mut told, result);
            assert_eq!(told, expected);
        }
    }

    #[test]
    fn only_an_error_is_an_error() {
        assert!(is_error(r#"{"error":"x"}"#));
        assert!(!is_error(r#"{"result":"error"}"#));
        assert!(!is_error("error"));
    }
}
