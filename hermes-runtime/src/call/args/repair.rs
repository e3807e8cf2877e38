//! What was changed on the way, so that an operator can see a model's habits.

use std::fmt;

/// One change made to what the model sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// JSON pointer of the changed value in the arguments; empty for the text as a whole.
    pub pointer: String,
    /// What was done.
    pub kind: RepairKind,
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            write!(f, "{}", self.kind)
        } else {
            write!(f, "{}: {}", self.pointer, self.kind)
        }
    }
}

/// The kinds of change; each one loses nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum RepairKind {
    /// A code fence stood around everything.
    CodeFence,
    /// Control characters stood unescaped inside a string.
    ControlCharacter,
    /// A backslash that starts no JSON escape was taken literally.
    Backslash,
    /// A comma stood before a closing bracket.
    TrailingComma,
    /// The text was a Python literal.
    PythonLiteral,
    /// The object was encoded as a JSON string.
    Decoded,
    /// The same object stood there more than once.
    RepeatedObject,
    /// Empty objects stood before the real one.
    EmptyObject,
    /// A key stood there twice with equal values.
    RepeatedKey,
    /// The arguments were nested under this key.
    Wrapper(&'static str),
    /// A list or an object came as text.
    Parsed,
    /// One value came where a list belongs.
    Listed,
    /// A scalar was read as what the schema wants; both in JSON spelling, cut off if long.
    Converted {
        /// What came.
        from: String,
        /// What it became.
        to: String,
    },
    /// `null` came for an optional argument that has no null.
    NullRemoved,
    /// An undeclared key was dropped, see [`Undeclared::Drop`](super::Undeclared::Drop).
    Dropped,
}

impl fmt::Display for RepairKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CodeFence => f.write_str("code fence removed"),
            Self::ControlCharacter => f.write_str("control character taken literally"),
            Self::Backslash => f.write_str("backslash taken literally"),
            Self::TrailingComma => f.write_str("trailing comma removed"),
            Self::PythonLiteral => f.write_str("Python literal read"),
            Self::Decoded => f.write_str("encoded text decoded"),
            Self::RepeatedObject => f.write_str("repeated object counted once"),
            Self::EmptyObject => f.write_str("empty object before the arguments ignored"),
            Self::RepeatedKey => f.write_str("repeated key counted once"),
            Self::Wrapper(key) => write!(f, "layer `{key}` removed"),
            Self::Parsed => f.write_str("text parsed"),
            Self::Listed => f.write_str("single value put into a list"),
            Self::Converted { from, to } => write!(f, "{from} read as {to}"),
            Self::NullRemoved => f.write_str("null of an optional argument removed"),
            Self::Dropped => f.write_str("undeclared key dropped"),
        }
    }
}
