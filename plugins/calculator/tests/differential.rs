//! The evaluator against `CPython` itself: same JSON text, or an error on both sides.

mod support;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};
use std::thread;

use hermes_plugin_calculator::eval::{EvalError, evaluate};
use support::{Generator, note};

const EXPRESSIONS: usize = 200_000;
const REFERENCE: &str = include_str!("differential/reference.py");

#[test]
fn two_hundred_thousand_expressions_give_what_cpython_gives() {
    let mut generator = Generator::new(0x5eed_ca1c);
    let expressions: Vec<String> = (0..EXPRESSIONS)
        .map(|index| {
            if index % 5 == 0 {
                generator.token_soup()
            } else {
                generator.expression()
            }
        })
        .collect();
    let Some(answers) = cpython(&expressions) else {
        #[expect(clippy::disallowed_methods, reason = "a gate must not skip this")]
        let in_gate = std::env::var_os("CI").is_some();
        assert!(!in_gate, "python3 is needed for the comparison");
        note("skipped: no python3 to compare with");
        return;
    };

    let mut values = 0;
    let mut differences = Vec::new();
    for (expression, python) in expressions.iter().zip(&answers) {
        let ours = evaluate(expression);
        let agree = match (&ours, python.strip_prefix('=')) {
            (Ok(number), Some(json)) => {
                values += 1;
                number.to_json() == json
            }
            (Err(EvalError::DivisionByZero), None) => python == "!ZeroDivisionError",
            // Errors of the text come before errors of the arithmetic on our side only.
            (Err(EvalError::Domain | EvalError::Complex), None) => python != "!ZeroDivisionError",
            (Err(_), None) => true,
            _ => false,
        };
        if !agree {
            let ours = ours.map_or_else(|error| error.to_string(), |number| number.to_json());
            differences.push(format!("{expression}\n  ours   {ours}\n  python {python}"));
        }
    }
    note(&format!(
        "{EXPRESSIONS} expressions, {values} with a value, {} differences",
        differences.len()
    ));
    let shown = differences.iter().take(20).cloned().collect::<Vec<_>>();
    assert!(differences.is_empty(), "{}", shown.join("\n"));
    assert!(
        values > EXPRESSIONS / 2,
        "the generator makes too many errors: {values} values"
    );
}

/// `CPython`'s answers, from one process; `None` if there is none to ask.
#[allow(
    clippy::disallowed_methods,
    reason = "a test of the maintainers starts a known program"
)]
fn cpython(expressions: &[String]) -> Option<Vec<String>> {
    let mut child = Command::new("python3")
        .args(["-I", "-c", REFERENCE])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take().expect("stdin is piped");
    let output = child.stdout.take().expect("stdout is piped");
    let text = expressions
        .iter()
        .map(|expression| expression.replace('^', "**") + "\n")
        .collect::<String>();
    let writer = thread::spawn(move || input.write_all(text.as_bytes()));
    let answers = BufReader::new(output)
        .lines()
        .collect::<Result<Vec<_>, _>>()
        .expect("python3 prints text");
    writer
        .join()
        .expect("the writer doesn't panic")
        .expect("python3 reads all expressions");
    let status = child.wait().expect("python3 ends");
    assert!(status.success(), "python3 ended with {status}");
    assert_eq!(answers.len(), expressions.len());
    Some(answers)
}
