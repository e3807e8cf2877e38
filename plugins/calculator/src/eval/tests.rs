use super::{MAX_DEPTH, MAX_INPUT_BYTES, Number, evaluate, float_text};

/// The JSON text of the value, or the error's text.
fn told(expression: &str) -> String {
    match evaluate(expression) {
        Ok(number) => number.to_json(),
        Err(error) => error.to_string(),
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (expression, expected) in cases {
        assert_eq!(told(expression), *expected, "{expression}");
    }
}

#[test]
fn the_golden_rows_hold() {
    check(&[
        ("2**16", "65536"),
        ("sqrt(144)", "12.0"),
        ("pi * 5**2", "78.53981633974483"),
        ("sqrt(2)*pi", "4.442882938158366"),
        ("1/0", "Division by zero"),
        ("1.0/0", "Division by zero"),
        ("0**-1", "Division by zero"),
        ("sqrt(-1)", "Invalid: math domain error"),
        ("log(0)", "Invalid: math domain error"),
        ("", "No expression provided"),
        (" \t\n", "No expression provided"),
        ("2 +", "Invalid: unexpected end after `+`"),
        (
            "factorial(-1)",
            "Invalid: factorial needs a whole number from 0 up",
        ),
        (
            "factorial(2.5)",
            "Invalid: factorial needs a whole number from 0 up",
        ),
        ("0.1+0.2", "0.30000000000000004"),
        ("9007199254740993", "9007199254740993"),
        ("round(2.5)", "2"),
        ("7//2", "3"),
        ("7%-3", "-2"),
        ("1e400", "Invalid: the result is not a finite number"),
        ("1e308*10", "Invalid: the result is not a finite number"),
        ("1e400-1e400", "Invalid: the result is not a finite number"),
        (
            "(-1)**0.5",
            "Invalid: a negative number to a fractional power is not a real number",
        ),
        (
            "factorial(3000)",
            "Invalid: the result has more than 4300 digits",
        ),
        ("2**20000", "Invalid: the result has more than 4300 digits"),
        ("10**5000", "Invalid: the result has more than 4300 digits"),
        ("9**9**9", "Invalid: the result has more than 4300 digits"),
        (
            "factorial(10**6)",
            "Invalid: the result has more than 4300 digits",
        ),
        ("2^16", "65536"),
        ("42", "42"),
    ]);
    for code in [
        "(lambda:1)()",
        "'a'*3",
        "[1,2]",
        "__import__('os')",
        "().__class__",
        "x = 1",
        "1 < 2",
        "{1}",
    ] {
        assert!(
            told(code).starts_with("Invalid: "),
            "{code}: {}",
            told(code)
        );
    }
}

#[test]
fn operators_bind_as_in_python() {
    check(&[
        ("-2**2", "-4"),
        ("2**-1", "0.5"),
        ("2**3**2", "512"),
        ("2**-2**2", "0.0625"),
        ("2^-1^2", "0.5"),
        ("-2*-3--4", "10"),
        ("2+3*4", "14"),
        ("(2+3)*4", "20"),
        ("100/10/2", "5.0"),
        ("-7//2", "-4"),
        ("-7%3", "2"),
        ("-7.5//2", "-4.0"),
        ("7.5%-2", "-0.5"),
        ("2**0.5", "1.4142135623730951"),
        ("0**0", "1"),
        ("(-1)**(10**100)", "1"),
        ("(-1)**(10**100+1)", "-1"),
        ("- - + 1", "1"),
        ("0/-5", "-0.0"),
        ("-0", "0"),
    ]);
}

#[test]
fn integers_are_exact_and_stay_integers() {
    check(&[
        ("10**30 + 1", "1000000000000000000000000000001"),
        ("-(10**30) // 7", "-142857142857142857142857142858"),
        ("(2**70) / (2**69)", "2.0"),
        ("(10**400 + 1) / 10**399", "10.0"),
        ("9007199254740993 / 1", "9007199254740992.0"),
        ("round(123456, -2)", "123500"),
        ("round(250, -2)", "200"),
        ("round(5, -1000000000000000000000)", "0"),
        ("floor(1e20 + 0.5)", "100000000000000000000"),
        ("ceil(-0.5)", "0"),
        ("10**4299 - 10**4299", "0"),
        ("10**4000 * 10**4000 // 10**7999", "10"),
        (
            "max(9007199254740993, 9007199254740992.0)",
            "9007199254740993",
        ),
        (
            "10**400 * 1.0",
            "Invalid: an integer is too large for a float",
        ),
        (
            "10**400 / 3",
            "Invalid: an integer is too large for a float",
        ),
    ]);
    assert_eq!(told("10**4300 - 1"), "9".repeat(4300));
    assert_eq!(told(&"9".repeat(4300)), "9".repeat(4300));
    assert_eq!(
        told("10**4300"),
        "Invalid: the result has more than 4300 digits"
    );
    assert_eq!(
        told(&format!("1+{}", "9".repeat(4301))),
        "Invalid: the number at position 3 has more than 4300 digits"
    );
}

#[test]
fn functions_are_those_of_python() {
    check(&[
        ("log(e)", "1.0"),
        ("ln(e)", "1.0"),
        ("log(8, 2)", "3.0"),
        ("log(10**1000)", "2302.585092994045"),
        ("log2(2**5000)", "5000.0"),
        ("log10(10**3000)", "3000.0"),
        ("log(2, 1)", "Division by zero"),
        ("round(0.5)", "0"),
        ("round(2.675, 2)", "2.67"),
        ("round(1234.5, -2)", "1200.0"),
        ("round(-0.04, 1)", "-0.0"),
        (
            "round(1.5, 1.0)",
            "Invalid: the second argument of round must be a whole number of digits",
        ),
        ("min(1, 1.0)", "1"),
        ("min(1.0, 1)", "1.0"),
        ("max(3)", "3"),
        ("max(1, 2, 3.5,)", "3.5"),
        ("pow(2, 10)", "1024"),
        ("pow(2.0, 10)", "1024.0"),
        ("abs(-5)", "5"),
        ("factorial(20)", "2432902008176640000"),
        ("exp(1000)", "Invalid: the result is not a finite number"),
        ("asin(2)", "Invalid: math domain error"),
        (
            "sqrt(10**400)",
            "Invalid: an integer is too large for a float",
        ),
    ]);
}

#[test]
fn kind_spellings_are_understood() {
    check(&[
        ("PI", "3.141592653589793"),
        ("Sqrt(4) + TAU", "8.283185307179586"),
        ("2 × 3 ÷ 4 − π·1", "-1.6415926535897931"),
        ("5!", "120"),
        ("2**3!", "64"),
        ("-3!", "-6"),
        ("(2+1)!", "6"),
    ]);
}

#[test]
fn number_literals_follow_pythons_grammar() {
    check(&[
        ("1_000", "1000"),
        ("0xFF + 0b11 + 0o17", "273"),
        ("0x_ff", "255"),
        ("00", "0"),
        ("012.5", "12.5"),
        (".5", "0.5"),
        ("5.", "5.0"),
        ("1e3", "1000.0"),
        ("1_0.0_1e-0_2", "0.1001"),
    ]);
    for wrong in [
        "012", "1__0", "1_", "1_.5", "1._5", "1e", "1e+", "0x", "0xg", "0b2", "1.2.3", "2pi", "1j",
        "1e_5", "0_x1",
    ] {
        assert_eq!(
            told(wrong),
            format!("Invalid: `{wrong}` at position 1 is not a number")
        );
    }
}

#[test]
fn mistakes_are_told_with_their_place() {
    check(&[
        (
            "foo(1)",
            "Invalid: unknown function `foo`; known are sqrt, sin, cos, tan, asin, acos, atan, log, log2, log10, ln, exp, abs, round, floor, ceil, min, max, pow, factorial",
        ),
        (
            "x + 1",
            "Invalid: unknown name `x`; the constants are pi, e, tau",
        ),
        (
            "sqrt",
            "Invalid: function `sqrt` needs its arguments in brackets, for example sqrt(2)",
        ),
        ("sqrt()", "Invalid: sqrt takes 1 argument, got 0"),
        ("pow(1)", "Invalid: pow takes 2 arguments, got 1"),
        (
            "round(1, 2, 3)",
            "Invalid: round takes 1 to 2 arguments, got 3",
        ),
        ("min()", "Invalid: min takes 1 or more arguments, got 0"),
        ("inf", "Invalid: the result is not a finite number"),
        ("-nan", "Invalid: the result is not a finite number"),
        ("(1", "Invalid: the bracket at position 1 is never closed"),
        (
            "2*sqrt(1",
            "Invalid: the bracket at position 7 is never closed",
        ),
        ("1)", "Invalid: unexpected `)` at position 2"),
        ("()", "Invalid: unexpected `)` at position 2"),
        ("2 3", "Invalid: unexpected `3` at position 3"),
        ("2 * * 3", "Invalid: unexpected `*` at position 5"),
        ("π 2", "Invalid: unexpected `2` at position 3"),
        ("max(1,", "Invalid: unexpected end after `,`"),
        (
            "1,000",
            "Invalid: unexpected `,` at position 2; write numbers without separators, as 1000",
        ),
        (
            "5!!",
            "Invalid: `!!` at position 3 could mean two things; use factorial(…)",
        ),
        (
            "5 != 3",
            "Invalid: unexpected character `!` at position 3; only numbers, + - * / // % ** ( ) and functions are understood",
        ),
        (
            "2\0",
            "Invalid: unexpected character U+0000 at position 2; only numbers, + - * / // % ** ( ) and functions are understood",
        ),
        (
            "２",
            "Invalid: unexpected character `２` at position 1; only numbers, + - * / // % ** ( ) and functions are understood",
        ),
        ("1/0 +", "Invalid: unexpected end after `+`"),
    ]);
    let name = "x".repeat(1000);
    assert_eq!(
        told(&name),
        format!(
            "Invalid: unknown name `{}…`; the constants are pi, e, tau",
            "x".repeat(40)
        )
    );
}

#[test]
fn limits_are_told() {
    let nested = |depth| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(told(&nested(MAX_DEPTH)), "1");
    assert_eq!(
        told(&nested(MAX_DEPTH + 1)),
        "Invalid: brackets or powers are nested more than 100 levels deep"
    );
    assert_eq!(
        told(&"1".repeat(MAX_INPUT_BYTES + 1)),
        "Invalid: the expression has 65537 bytes, the limit is 65536"
    );
    let heavy = ["2**14000 * 3**8000"; 200].join(" - ");
    assert_eq!(
        told(&heavy),
        "Invalid: the expression needs too much work on long integers; split it into steps"
    );
}

#[test]
fn floats_print_as_python_prints_them() {
    for (value, expected) in [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (-12.5, "-12.5"),
        (0.0001, "0.0001"),
        (0.000_012_5, "1.25e-05"),
        (1e-7, "1e-07"),
        (1e15, "1000000000000000.0"),
        (1e16, "1e+16"),
        (1.5e300, "1.5e+300"),
        (5e-324, "5e-324"),
        (f64::MAX, "1.7976931348623157e+308"),
        // As near to .2 as to .3; Python takes the even digit.
        (5_643_722_742_936_917.0 / 4.0, "1410930685734229.2"),
    ] {
        assert_eq!(float_text(value), expected);
        assert_eq!(expected.parse(), Ok(value));
        assert_eq!(Number::Float(value).to_json(), expected);
    }
}
