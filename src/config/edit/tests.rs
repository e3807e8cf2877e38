use super::{is_that_change, with_model};

/// The file after `hermes model use` of a local model; checked as the command checks it.
#[track_caller]
fn changed(before: &str) -> String {
    let after = with_model(before, "local", "tiny").expect("an edit");
    assert!(
        is_that_change(before, &after, "local", "tiny"),
        "{before:?} became {after:?}"
    );
    after
}

#[test]
fn comments_order_and_the_keys_of_others_stay() {
    let before = "# top\nmodel:\n  provider: openai   # mine\n  # about the model\n  default: gpt\n  base_url: http://x # y\n  temperature: 0.5\n\nplugins:\n  disabled: [a, b] # keep\nagent: {max_turns: 9}\n";
    assert_eq!(
        changed(before),
        "# top\nmodel:\n  provider: local   # mine\n  # about the model\n  default: tiny\n  temperature: 0.5\n\nplugins:\n  disabled: [a, b] # keep\nagent: {max_turns: 9}\n"
    );
}

#[test]
fn every_shape_of_file_takes_the_model() {
    for (before, after) in [
        ("", "model:\n  provider: local\n  default: tiny\n"),
        (
            "# mine\n",
            "# mine\nmodel:\n  provider: local\n  default: tiny\n",
        ),
        (
            "other: 1",
            "other: 1\nmodel:\n  provider: local\n  default: tiny\n",
        ),
        (
            "model: gpt-5\nother: 1\n",
            "model:\n  provider: local\n  default: tiny\nother: 1\n",
        ),
        (
            "model:\nother: 1\n",
            "model:\n  provider: local\n  default: tiny\nother: 1\n",
        ),
        (
            "model: {provider: x, default: y}\n",
            "model: {provider: local, default: tiny}\n",
        ),
        (
            "text: |\n  model: no\nmodel:\n    default: \"q\"\n",
            "text: |\n  model: no\nmodel:\n    default: tiny\n    provider: local\n",
        ),
    ] {
        assert_eq!(changed(before), after, "{before:?}");
        // Said twice it is the same.
        assert_eq!(changed(after), after);
    }
}

#[test]
fn names_that_yaml_would_read_otherwise_are_quoted() {
    for name in [
        "no", "1.5", "a: b", "#x", "- y", "it's", "Ünï", "a/b:c", "null", "",
    ] {
        if let Some(after) = with_model("other: 1\n", "local", name) {
            assert!(
                is_that_change("other: 1\n", &after, "local", name),
                "{name:?} became {after:?}"
            );
        }
    }
}

#[test]
fn a_change_of_anything_else_is_noticed() {
    let before = "a: 1\nmodel: x\n";
    let after = "a: 2\nmodel: {provider: local, default: tiny}\n";
    assert!(!is_that_change(before, after, "local", "tiny"));
    let after = "a: 1\nmodel: {provider: local, default: other}\n";
    assert!(!is_that_change(before, after, "local", "tiny"));
}
