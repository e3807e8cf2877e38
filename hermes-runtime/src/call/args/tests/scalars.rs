//! "Value by schema": numbers, booleans, text and enums, each row with its negative twins.

use super::x;

#[test]
fn an_integer_is_read_exactly_or_not_at_all() {
    let any = r#"{"type":"integer"}"#;
    for (value, expected) in [
        ("42", "42"),
        (r#""42""#, "42"),
        (r#"" 7 ""#, "7"),
        (r#""+7""#, "7"),
        (r#""-7""#, "-7"),
        (r#""1_000""#, "1000"),
        (r#""4.0""#, "4"),
        ("14380.0", "14380"),
        ("1e3", "1000"),
        ("1.5e1", "15"),
        (r#""1E+3""#, "1000"),
        ("120e-1", "12"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("9007199254740993", "9007199254740993"),
        (r#""9007199254740993""#, "9007199254740993"),
        ("9007199254740993.0", "9007199254740993"),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("0e999999999999999999999", "0"),
    ] {
        x(any, value, expected);
    }
    for value in [
        "2.5",
        r#""4.5""#,
        r#""0x10""#,
        r#""010""#,
        r#""""#,
        r#"" ""#,
        r#""ten""#,
        r#""1,000""#,
        r#""1__0""#,
        r#""_1""#,
        r#""+-1""#,
        r#""1e""#,
        r#""--1""#,
        r#""٣""#,
        "true",
        "null",
        "[1]",
        "{}",
        "1e-1",
        "1e-999999999999999999999",
    ] {
        x(any, value, "error: `x` must be an integer, got ");
    }
    for value in [
        "18446744073709551616",
        "-9223372036854775809",
        "1e400",
        r#""1e400""#,
        "1e999999999999999999999",
    ] {
        x(
            any,
            value,
            "error: `x` must be an exact integer from -9223372036854775808 to 18446744073709551615",
        );
    }
}

#[test]
fn an_integer_stays_in_its_range() {
    x(
        r#"{"type":"integer","format":"uint8","minimum":0}"#,
        "255",
        "255",
    );
    x(
        r#"{"type":"integer","format":"uint8","minimum":0}"#,
        r#""256""#,
        "error: `x` must be an integer from 0 to 255, got 256",
    );
    x(
        r#"{"type":"integer","format":"uint8"}"#,
        "-1",
        "error: `x` must be an integer from 0 to 255, got -1",
    );
    x(
        r#"{"type":"integer","format":"int8"}"#,
        "-129",
        "error: from -128 to 127",
    );
    x(
        r#"{"type":"integer","format":"int64"}"#,
        "9223372036854775808",
        "error: `x` must be an integer from -9223372036854775808 to 9223372036854775807",
    );
    x(
        r#"{"type":"integer","format":"uint64","minimum":0}"#,
        "18446744073709551616",
        "error: `x`",
    );
    x(
        r#"{"type":"integer","minimum":1,"maximum":10}"#,
        "11",
        "error: an integer from 1 to 10, got 11",
    );
    x(
        r#"{"type":"integer","exclusiveMinimum":1}"#,
        "1",
        "error: `x` must be an integer above 1, got 1",
    );
    x(
        r#"{"type":"integer","maximum":9007199254740992.0}"#,
        "9007199254740993",
        "error: `x`",
    );
    x(r#"{"type":"integer","multipleOf":5}"#, "15", "15");
    x(
        r#"{"type":"integer","multipleOf":5}"#,
        "16",
        "error: `x` must be a multiple of 5, got 16",
    );
}

#[test]
fn a_number_is_finite() {
    let any = r#"{"type":"number","format":"double"}"#;
    for (value, expected) in [
        (r#""3.14""#, "3.14"),
        (r#""5""#, "5"),
        ("5", "5"),
        (r#""1e3""#, "1000.0"),
        (r#"".5""#, "0.5"),
        (r#""-1_000.5""#, "-1000.5"),
        ("0.1", "0.1"),
        ("12345678901234567890123", "1.2345678901234568e22"),
    ] {
        x(any, value, expected);
    }
    for value in [
        r#""nan""#,
        r#""inf""#,
        r#""NaN""#,
        r#""Infinity""#,
        r#""ten""#,
        r#""3,14""#,
        "true",
        "[]",
        "null",
    ] {
        x(any, value, "error: `x` must be a number, got ");
    }
    x(
        any,
        r#""ten""#,
        r#"error: `x` must be a number, got "ten"; send for example 10"#,
    );
    x(
        any,
        "1e400",
        "error: `x` must be a finite number, got 1e400",
    );
    x(any, r#""-1e400""#, "error: `x` must be a finite number");
    x(
        r#"{"type":"number","minimum":0.5,"maximum":1}"#,
        "0.25",
        "error: `x` must be a number from 0.5 to 1, got 0.25",
    );
    x(
        r#"{"type":"number","exclusiveMaximum":1}"#,
        r#""1.0""#,
        "error: `x`",
    );
    x(r#"{"type":"number","multipleOf":0.1}"#, "0.3", "0.3");
    x("{}", "1e400", "error: `x` must be a finite number");
}

#[test]
fn a_boolean_is_one_of_two_words() {
    let any = r#"{"type":"boolean"}"#;
    for (value, expected) in [
        ("true", "true"),
        (r#""TRUE""#, "true"),
        (r#""False""#, "false"),
        (r#""tRuE""#, "true"),
    ] {
        x(any, value, expected);
    }
    for value in [
        r#""yes""#,
        r#""1""#,
        "1",
        "0",
        r#""""#,
        r#"" true ""#,
        "null",
        "[true]",
        r#""t""#,
    ] {
        x(any, value, "error: `x` must be true or false, got ");
    }
}

#[test]
fn text_takes_what_has_one_spelling() {
    let any = r#"{"type":"string"}"#;
    for (value, expected) in [
        ("12345", r#""12345""#),
        ("-1", r#""-1""#),
        ("true", r#""true""#),
        (
            "123456789012345678901234567890",
            r#""123456789012345678901234567890""#,
        ),
        (r#""020""#, r#""020""#),
        (r#""{\"a\": 1}""#, r#""{\"a\": 1}""#),
        (r#""[1]""#, r#""[1]""#),
        (r#""null""#, r#""null""#),
        (r#""""#, r#""""#),
    ] {
        x(any, value, expected);
    }
    for value in [
        "1.5",
        "1.0",
        "1e3",
        "{}",
        r#"{"a":1}"#,
        "[]",
        r#"["a"]"#,
        "null",
    ] {
        x(any, value, "error: `x` must be text, got ");
    }
    x(r#"{"type":"string","maxLength":3}"#, r#""äöü""#, r#""äöü""#);
    x(
        r#"{"type":"string","maxLength":3}"#,
        "1234",
        r#"error: `x` must have at most 3 characters, got 4: "1234""#,
    );
    x(
        r#"{"type":"string","minLength":1}"#,
        r#""""#,
        "error: `x` must have at least 1 characters",
    );
}

#[test]
fn an_enum_takes_the_only_member_meant() {
    let level = r#"{"type":"string","enum":["low","high"]}"#;
    x(level, r#""low""#, r#""low""#);
    x(level, r#"" LOW\n""#, r#""low""#);
    x(
        level,
        r#""lo""#,
        r#"error: `x` must be one of "low", "high", got "lo"; did you mean `low`?"#,
    );
    x(level, "1", "error: `x` must be one of");
    x(
        level,
        "null",
        r#"error: `x` must be "low" or "high", got null; send for example "low""#,
    );
    x(r#"{"enum":["a","A"]}"#, r#""A""#, r#""A""#);
    x(
        r#"{"enum":["a","A"]}"#,
        r#"" a ""#,
        "error: `x` must be one of",
    );
    x(r#"{"enum":[1,2.5,true,null]}"#, r#""1""#, "1");
    x(r#"{"enum":[1,2.5,true,null]}"#, "1.0", "1");
    x(r#"{"enum":[1,2.5,true,null]}"#, r#""2.50""#, "2.5");
    x(r#"{"enum":[1,2.5,true,null]}"#, r#""None""#, "null");
    x(r#"{"enum":["1","2"]}"#, "2", r#""2""#);
    x(r#"{"enum":[[1],{"a":1}]}"#, r#"{"a":1}"#, r#"{"a":1}"#);
    x(
        r#"{"enum":[[1],{"a":1}]}"#,
        r#"{"a":2}"#,
        "error: must be one of [1], {\"a\":1}, got",
    );
    x(r#"{"const":"on"}"#, r#""ON""#, r#""on""#);
    x(
        r#"{"oneOf":[{"const":"a","description":"A."},{"enum":["b","c"]}]}"#,
        r#""B""#,
        r#""b""#,
    );
    x(
        r#"{"oneOf":[{"const":"a","description":"A."},{"enum":["b","c"]}]}"#,
        r#""d""#,
        r#"error: `x` must be one of "a", "b", "c""#,
    );
}
