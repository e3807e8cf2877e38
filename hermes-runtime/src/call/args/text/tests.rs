use super::{Reading, read, unfenced};

#[test]
fn strictly_valid_text_is_never_touched() {
    for raw in [
        r#"{"query":"what's Ana's ```flight```, number?,}"}"#,
        r#"{"a":"\\d\n"}"#,
        r#" {"a" : [ ] } "#,
    ] {
        let Reading { repairs, .. } = read(raw).unwrap();
        assert!(repairs.is_empty(), "{raw}: {repairs:?}");
    }
}

#[test]
fn a_fence_needs_three_ticks() {
    assert_eq!(unfenced("```json\n{}\n```"), Some(("{}", true)));
    assert_eq!(unfenced("```\n{}"), Some(("{}", false)));
    assert_eq!(unfenced("``{}``"), None);
    assert_eq!(unfenced("{}"), None);
}

#[test]
fn the_attempt_that_got_farthest_is_explained() {
    let shown = |raw: &str| read(raw).map(|_| ()).unwrap_err().to_string();
    assert_eq!(
        shown(r#"{"a": "x" "b": 1}"#),
        "invalid JSON in the arguments: expected `,` or `}`, got `\"b\": 1}`; send one JSON object with double quotes"
    );
    assert!(shown("{'a': 'x', 'b': }").contains("expected a value, got `}`"));
}
