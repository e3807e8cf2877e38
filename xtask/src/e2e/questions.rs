//! Questions and what is right for each.

use anyhow::{Context as _, Result};
use serde_json::Value;

/// The ones that are always asked.
pub(super) const FIRST: &str = include_str!("../../../tests/e2e/questions.jsonl");
/// More, none like an example of a tool.
pub(super) const MORE: &str = include_str!("../../../tests/e2e/more_questions.jsonl");

/// A question that one call of one tool answers.
pub(super) struct Question {
    pub(super) ask: String,
    tool: String,
    /// The tool's `result` for right arguments; more than one where the question can be read so.
    results: Vec<f64>,
}

/// What was right.
pub(super) struct Marks {
    /// Calls made.
    pub(super) calls: usize,
    /// Calls whose tool ran.
    pub(super) valid: usize,
    pub(super) tool: bool,
    /// Some call of the right tool had the right result, so its arguments were right.
    pub(super) result: bool,
    pub(super) answer: bool,
}

impl Question {
    pub(super) fn all(lines: &str) -> Result<Vec<Self>> {
        lines
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| {
                let value: Value = serde_json::from_str(line)?;
                let text = |key: &str| {
                    let text = value[key].as_str().map(str::to_owned);
                    text.with_context(|| format!("a question without `{key}`: {line}"))
                };
                let results = value["results"].as_array().into_iter().flatten();
                Ok(Self {
                    ask: text("ask")?,
                    tool: text("tool")?,
                    results: results.filter_map(Value::as_f64).collect(),
                })
            })
            .collect()
    }

    /// Judges what `hermes chat --json` printed.
    pub(super) fn judge(&self, said: &Value) -> Result<Marks> {
        let calls = said["calls"]
            .as_array()
            .context("no `calls` in the answer")?;
        let of_tool = || {
            calls
                .iter()
                .filter(|call| call["tool"] == self.tool.as_str())
        };
        let answer = said["answer"].as_str().unwrap_or_default();
        Ok(Marks {
            calls: calls.len(),
            valid: calls
                .iter()
                .filter(|call| call["result"]["error"].is_null())
                .count(),
            tool: of_tool().next().is_some(),
            result: of_tool().any(|call| {
                let result = call["result"]["result"].as_f64();
                result.is_some_and(|result| self.is_right(result))
            }),
            answer: numbers(answer).any(|number| self.is_right(number)),
        })
    }

    fn is_right(&self, result: f64) -> bool {
        // A model rounds: 37.8 for 37.7778 is right.
        self.results
            .iter()
            .any(|right| (result - right).abs() <= 1e-3 * right.abs().max(1e-9))
    }
}

/// The numbers in a text, thousands separators or not.
fn numbers(text: &str) -> impl Iterator<Item = f64> + '_ {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .filter_map(|word| word.trim_matches(['.', ',']).replace(',', "").parse().ok())
}

#[cfg(test)]
mod tests {
    use super::{FIRST, MORE, Question};
    use serde_json::json;

    #[test]
    fn each_question_is_readable_and_has_a_right_result() {
        let first = Question::all(FIRST).unwrap();
        let more = Question::all(MORE).unwrap();
        assert_eq!((first.len(), more.len()), (4, 20));
        assert!(
            first
                .iter()
                .chain(&more)
                .all(|question| !question.results.is_empty())
        );
    }

    #[test]
    fn the_tools_result_decides_and_an_error_is_no_valid_call() {
        let question = &Question::all(FIRST).unwrap()[0];
        let right = json!({"answer": "It's 65,536.", "calls": [{"tool": "calculate", "result": {"result": 65536}}]});
        let marks = question.judge(&right).unwrap();
        assert!(marks.tool && marks.result && marks.answer && marks.valid == 1);
        let wrong = json!({"answer": "It is 256.", "calls": [{"tool": "calculate", "result": {"error": "no"}}]});
        let marks = question.judge(&wrong).unwrap();
        assert!(
            marks.tool && !marks.result && !marks.answer && marks.valid == 0 && marks.calls == 1
        );
    }
}
