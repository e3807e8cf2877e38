use super::object;
use crate::errors::Errors;
use quote::quote;

/// The text of an object, or its faults.
fn written(tokens: &proc_macro2::TokenStream) -> Result<String, String> {
    let mut errors = Errors::default();
    let json = object(tokens, &mut errors);
    match errors.finish() {
        None => Ok(json.expect("no fault, so there is one").text),
        Some(faults) => Err(faults.to_string()),
    }
}

#[test]
fn literals_become_one_text() {
    let tokens = quote!({
        "location": "London", "n": -1.5, "deep": [1, true, null, {"a": "b"}],
        "raw": r#"say "hi" \"#, "lines": "a\n\t\u{1}é",
        "numbers": [0, -0, 1e5, 1.50, 1E-2, 123456789012345678901234567890],
        "empty": {}, "none": [],
    });
    assert_eq!(
        written(&tokens).as_deref(),
        Ok(
            r#"{"location":"London","n":-1.5,"deep":[1,true,null,{"a":"b"}],"raw":"say \"hi\" \\","lines":"a\n\t\u0001é","numbers":[0,-0,1e5,1.50,1E-2,123456789012345678901234567890],"empty":{},"none":[]}"#
        )
    );
    assert_eq!(written(&quote!({})).as_deref(), Ok("{}"));
}

#[test]
fn numbers_that_only_rust_knows_are_refused_with_the_spelling_of_json() {
    for (number, better) in [
        (quote!(1u8), "1"),
        (quote!(20_000), "20000"),
        (quote!(0xff), "255"),
        (quote!(0b101), "5"),
        (quote!(007), "7"),
        (quote!(00), "0"),
        (quote!(1.), "1.0"),
        (quote!(1.5f32), "1.5"),
        (quote!(1_0.5), "10.5"),
        (quote!(00.5), "0.5"),
        (quote!(-0x10), "-16"),
    ] {
        let fault = written(&quote!({ "n": #number })).expect_err("no JSON number");
        assert!(fault.contains(&format!("write `{better}`")), "{fault}");
    }
}

#[test]
fn text_is_written_without_blanks() {
    for (text, expected) in [
        (
            r#" { "a" : [ 1 , -2.50e+3 ] , "b c":{ } } "#,
            r#"{"a":[1,-2.50e+3],"b c":{}}"#,
        ),
        (
            r#"{"a":"\u00e9 \ud83d\ude00 \/ \\ x  y"}"#,
            r#"{"a":"\u00e9 \ud83d\ude00 \/ \\ x  y"}"#,
        ),
        (
            r#"{"a":[true,false,null,"",[],{"a":1}]}"#,
            r#"{"a":[true,false,null,"",[],{"a":1}]}"#,
        ),
        ("{}", "{}"),
    ] {
        assert_eq!(written(&quote!(#text)).as_deref(), Ok(expected));
    }
}

#[test]
fn text_that_is_no_json_is_refused_at_its_place() {
    for (text, fault) in [
        ("[1]", "the arguments are one object"),
        ("", "the arguments are one object"),
        ("{", "column 2 it needs a key in double quotes, got its end"),
        (r#"{"a"}"#, "column 5 it needs `:`, got `}`"),
        (r#"{"a":}"#, "column 6 it needs a value, got `}`"),
        (r#"{"a":1 "b":2}"#, "column 8 it needs `,` or `}`"),
        (
            r#"{"a":1,}"#,
            "column 8 it needs a key in double quotes, got `}`",
        ),
        (r#"{"a":[1,]}"#, "column 9 it needs a value, got `]`"),
        (r"{,}", "column 2 it needs a key in double quotes, got `,`"),
        (r"{'a':1}", "column 2 it needs a key in double quotes"),
        (r#"{"a":1_0}"#, "column 6 it needs a value, got `1_0`"),
        (r#"{"a":01}"#, "got `01`"),
        (r#"{"a":+1}"#, "got `+1`"),
        (r#"{"a":.5}"#, "got `.5`"),
        (r#"{"a":1.}"#, "got `1.`"),
        (r#"{"a":1e}"#, "got `1e`"),
        (r#"{"a":-}"#, "got `-`"),
        (r#"{"a":NaN}"#, "got `NaN`"),
        (
            "{\n \"a\": yes}",
            "line 2, column 7 it needs a value, got `yes`",
        ),
        (r#"{"a":"x}"#, "got its end"),
        ("{\"a\":\"x\ny\"}", "column 8"),
        ("{\"a\":\"x\ty\"}", "it needs an escape such as `\\\\t`"),
        (r#"{"a":"\x"}"#, "an escape (write"),
        (r#"{"a":"\u12g4"}"#, "four hexadecimal digits"),
        (r#"{"a":"\ud83d"}"#, "second half"),
        (r#"{"a":"\ud83d\u0041"}"#, "whole surrogate pair"),
        (r#"{"a":"\ude00"}"#, "whole surrogate pair"),
        (r#"{"a":1}{}"#, "nothing behind the object, got `{`"),
        (r#"{"a":1,"\u0061":2}"#, "`a` stands here twice"),
    ] {
        let said = written(&quote!(#text)).expect_err("no JSON");
        assert!(said.contains(fault), "{text}: {said}");
    }
    let deep = format!("{{\"a\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let said = written(&quote!(#deep)).expect_err("too deep");
    assert!(said.contains("less nesting"), "{said}");
}
