use serde_json::json;

use super::*;

#[test]
fn a_parameter_without_words_is_found_at_any_depth() {
    let tool = json!({"name": "t", "description": "Does."});
    let schema = json!({"type": "object", "properties": {
        "a": {"type": "string", "description": "An a."},
        "b": {"description": "b", "type": "array", "items": {
            "type": "object", "properties": {"c": {"type": "integer"}},
        }},
        "d": {"description": "d", "default": {"properties": {"x": 1}}},
        "e": {"description": "e", "oneOf": [{"properties": {"type": {"const": "circle"}}}]},
    }});
    assert_eq!(undescribed("t", &tool, &schema), ["t.b.c: no description"]);
    let wrapped = json!({"name": "t", "parameters": schema});
    assert_eq!(undescribed("t", &tool, &wrapped), ["t.b.c: no description"]);
    let blank = json!({"name": "t", "description": " "});
    assert_eq!(
        undescribed("t", &blank, &json!({"type": "object"})),
        ["t: no description"]
    );
}

#[test]
fn a_name_counts_only_as_a_whole_word() {
    assert!(is_word_in("host.call(\"calculate\", x)", "calculate"));
    assert!(!is_word_in(
        "fn recalculate() {} calculate_all",
        "calculate"
    ));
}
