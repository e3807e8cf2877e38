//! Where in the arguments a value stands.

use std::fmt;

/// Longest part of a key that a pointer holds, in characters.
const LONGEST_KEY: usize = 256;

/// Longest part of a key that a message shows, in characters.
const SHOWN_KEY: usize = 80;

/// A place in the arguments on the way down, borrowed from the stack: no allocation until a
/// message or a repair needs it.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    pub(super) const ROOT: Path<'static> = Path {
        parent: None,
        step: Step::Root,
    };

    pub(super) fn key(&'a self, key: &'a str) -> Self {
        Path {
            parent: Some(self),
            step: Step::Key(key),
        }
    }

    pub(super) fn index(&'a self, index: usize) -> Self {
        Path {
            parent: Some(self),
            step: Step::Index(index),
        }
    }

    /// Levels below the root.
    pub(super) fn depth(&self) -> usize {
        self.parent.map_or(0, |parent| parent.depth() + 1)
    }

    /// The owned form, for errors.
    pub(super) fn field(&self) -> Field {
        Field {
            pointer: self.pointer(),
        }
    }

    /// The JSON pointer (RFC 6901); keys longer than any schema's are cut.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = self.parent.map_or_else(String::new, Path::pointer);
        match self.step {
            Step::Root => {}
            Step::Key(key) => {
                pointer.push('/');
                let end = key.char_indices().nth(LONGEST_KEY).map(|(end, _)| end);
                let start = end.and_then(|end| key.get(..end)).unwrap_or(key);
                pointer.push_str(&start.replace('~', "~0").replace('/', "~1"));
                if start.len() < key.len() {
                    pointer.push('…');
                }
            }
            Step::Index(index) => {
                pointer.push('/');
                pointer.push_str(&index.to_string());
            }
        }
        pointer
    }
}

/// The argument an error is about.
///
/// Displays as a model reads it best: `` `tasks[2].goal` ``, and "the arguments" for the root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Field {
    pointer: String,
}

impl Field {
    /// The JSON pointer; empty for the arguments as a whole.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            return f.write_str("the arguments");
        }
        f.write_str("`")?;
        for (position, part) in self.pointer.split('/').skip(1).enumerate() {
            let key = part.replace("~1", "/").replace("~0", "~");
            let number = !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
            let word = !key.is_empty()
                && key.chars().count() <= SHOWN_KEY
                && key
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'));
            if number && position > 0 {
                write!(f, "[{key}]")?;
            } else if word {
                if position > 0 {
                    f.write_str(".")?;
                }
                f.write_str(&key)?;
            } else {
                let shown: String = key.chars().take(SHOWN_KEY).collect();
                write!(f, "[{shown:?}]")?;
            }
        }
        f.write_str("`")
    }
}
