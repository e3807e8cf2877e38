//! Inputs made to hang, to crash or to fill memory: each is answered or refused at once.

mod support;

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use hermes_plugin_calculator::eval::evaluate;
use support::{Generator, note};

/// A generous bound for a debug build on a busy machine; a release build needs below 50 ms.
const MOST: Duration = Duration::from_secs(2);

/// Far less than a thread has by default.
const STACK_BYTES: usize = 768 * 1024;

fn check(name: &str, expression: String) {
    let (sender, receiver) = mpsc::channel();
    let bytes = expression.len();
    thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let start = Instant::now();
            let answer = evaluate(&expression);
            // The receiver is gone if the time is over.
            sender.send((answer, start.elapsed())).ok();
        })
        .expect("a thread starts");
    let (answer, time) = receiver
        .recv_timeout(MOST)
        .unwrap_or_else(|error| panic!("{name}: no answer: {error}"));
    let text = match answer {
        Ok(number) => number.to_json(),
        Err(error) => error.to_string(),
    };
    let text: String = text.chars().take(60).collect();
    note(&format!("{time:>12.1?}  {name} ({bytes} bytes): {text}"));
}

/// `unit` as often as it fits into the longest input that is looked at.
fn filled(unit: &str, end: &str) -> String {
    let times = (64 * 1024 - end.len()) / unit.len();
    unit.repeat(times) + end
}

#[test]
fn powers_and_factorials_are_refused_before_they_are_computed() {
    for expression in [
        "9**9**9",
        "9**9**9**9**9**9",
        "factorial(10**9)",
        "factorial(10**6)",
        "factorial(3000)",
        "(((9**999)**9)**9)",
        "((((9**999)**99)**99)**99)",
        "pow(9,9**9)",
        "2**-10**9",
        "2**(2**32)",
        "(2**32767)**(2**32767)",
        "1**(2**32767)",
        "(10**9000)**-1",
        "round(7, -10**9)",
        "round(10**4000, -10**9)",
        "round(10**4000, -3999)",
        "round(1.5, 10**9)",
        "round(1.5, -10**4000)",
        "1e999999999999999999999999",
        "1e-999999999999999999999999",
        "10**4000/10**4000",
        "log(10**9000)",
        "5!!!!!!!!",
        "((((5!)!)!)!)",
    ] {
        check(expression, expression.to_owned());
    }
}

#[test]
fn nesting_does_not_end_the_stack() {
    for (unit, middle, end) in [
        ("(", "1", ")"),
        ("(", "", ""),
        ("-", "1", ""),
        ("+-", "1", ""),
        ("- (", "1", ")"),
        ("sqrt(", "2", ")"),
        ("abs(-", "2", ")"),
        ("1+2*-3**-(", "2", ")"),
        ("max(1,1+2*-3**-", "2", ")"),
        ("2**", "2", ""),
        ("1**", "2", ""),
        ("2**-", "2", ""),
        ("1+(", "1", ")"),
        ("min(", "1", ",)"),
    ] {
        for count in [99, 100, 10_000, 100_000] {
            let expression = format!("{}{middle}{}", unit.repeat(count), end.repeat(count));
            check(&format!("{count} × {unit}"), expression);
        }
    }
}

#[test]
fn a_megabyte_is_refused() {
    for unit in ["1+", "1", "(", "-", "1.", "a", "sqrt(", "π", "\0"] {
        let times = (1 << 20) / unit.len();
        check(&format!("1 MiB of {unit:?}"), unit.repeat(times) + "1");
    }
}

#[test]
fn the_longest_input_is_cheap() {
    for (unit, end) in [
        ("1+", "1"),
        ("1.5*", "1"),
        ("-", "1"),
        ("1", ""),
        ("0", ""),
        ("1.", ""),
        ("1_", "1"),
        ("0.1", ""),
        ("a", ""),
        ("a ", ""),
        (" ", ""),
        ("1!-", "1"),
        ("1e308+", "0"),
        ("2**64*", "1"),
        ("10**4000+", "1"),
        ("10**4000*10**4000//10**4000+", "1"),
        ("10**9000*2%10**4000+", "1"),
        ("2**32767-", "1"),
        ("factorial(3200)-", "1"),
        ("500!-", "1"),
        ("90!+", "1"),
        ("10**4000/3**8000+", "1"),
        ("10**300/7**300+", "1"),
        ("round(10**4000,-2000)-", "1"),
        ("round(1e-300,320)+", "1"),
        ("round(1e300,-200)+", "1"),
        ("log(10**9000)+", "1"),
        ("log(9**99)+", "1"),
        ("floor(1e308)-", "1"),
        ("1e308//3e-308+", "1"),
        ("1e308%3e-308+", "1"),
        ("sin(1e308)+", "1"),
        ("2.1**-1.9+", "1"),
    ] {
        check(&format!("64 KiB of {unit}"), filled(unit, end));
    }
    let longest = "9".repeat(4300);
    check(
        "longest literals",
        filled(&format!("{longest}*{longest}//{longest}-"), "1"),
    );
    check(
        "longest hex",
        filled(&format!("0x{}-", "f".repeat(8191)), "1"),
    );
    check("growing product", filled("9999999999*", "9"));
    check(
        "many arguments",
        format!("max({})", filled("1,", "1").split_off(10)),
    );
    check(
        "long arguments",
        format!("max({})", filled("10**9000,", "1").split_off(18)),
    );
    check(
        "mixed arguments",
        format!("max({})", filled("1e308,2**1023,", "1").split_off(28)),
    );
    check(
        "squares",
        format!("{}7{}", "(".repeat(60), "**2)".repeat(60)),
    );
    check(
        "growing sum",
        format!("10**9000{}", filled("+1", "").split_off(10)),
    );
    check(
        "growing digits",
        format!("2**32000{}", filled("*1", "").split_off(10)),
    );
}

#[test]
fn no_soup_of_tokens_or_bytes_panics() {
    let mut generator = Generator::new(0xbad_50b);
    let mut values = 0;
    for _ in 0..100_000 {
        let soup = generator.token_soup();
        values += u32::from(evaluate(&soup).is_ok());
        let bytes: Vec<u8> = (0..generator.below(24))
            .map(|_| generator.next().to_le_bytes()[0])
            .collect();
        // A result of either kind is fine.
        evaluate(&String::from_utf8_lossy(&bytes)).ok();
        let printable: String = bytes
            .iter()
            .map(|byte| char::from(b' ' + byte % 95))
            .collect();
        evaluate(&printable).ok();
    }
    note(&format!("{values} of 100000 soups have a value"));
}
