//! Every word the attributes know, for matching and for "did you mean".

pub(crate) const TOOL: &[&str] = &[
    "name",
    "description",
    "toolset",
    "check",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "inline",
    "timeout",
    "max_result_chars",
    "emoji",
    "output",
    "example",
    "crate",
];

pub(crate) const EXAMPLE: &[&str] = &["ask", "args"];

pub(crate) const HOOK: &[&str] = &[
    "pre_tool_call",
    "post_tool_call",
    "priority",
    "timeout",
    "inline",
    "crate",
];

/// The events, with the types that carry them.
pub(crate) const EVENTS: &[(&str, &str)] = &[
    ("pre_tool_call", "PreToolCall"),
    ("post_tool_call", "PostToolCall"),
];

pub(crate) const COMMAND: &[&str] = &["name", "description", "args_hint", "crate"];

pub(crate) const SCHEMA: &[&str] = &["allow_undocumented", "crate"];

pub(crate) const STATE: &[&str] = &["crate"];

pub(crate) const PLUGIN: &[&str] = &["name", "skills", "crate"];

pub(crate) const ARG: &[&str] = &["default"];

/// The known word that is most like `word`, if one is close.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .min()
        .filter(|(distance, candidate)| *distance <= candidate.len().max(3) / 3)
        .map(|(_, candidate)| candidate)
}

/// `a`, `b`, `c`
pub(crate) fn list(words: &[&str]) -> String {
    words
        .iter()
        .map(|word| format!("`{word}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Levenshtein's distance; words are short.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
