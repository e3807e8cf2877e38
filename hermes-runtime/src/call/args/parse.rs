//! One quote-aware parser for JSON as it should be and as models write it.
//!
//! Three dialects share the grammar, so that no repair can mistake text for notation: what a string
//! holds is never looked at by anything else.

use super::node::{MAX_DEPTH, Node, Object, cut, one_line};
use super::number::Num;
use super::repair::RepairKind;

/// How much is forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// RFC 8259.
    Strict,
    /// JSON with raw control characters, stray backslashes and trailing commas.
    Lenient,
    /// A Python literal made of dicts, lists, strings, numbers, `True`, `False`, `None`; with the
    /// lenience of [`Dialect::Lenient`].
    Python,
}

/// What stands in the way, and where (a byte offset).
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ParseError {
    pub(super) at: usize,
    pub(super) fault: Fault,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The text ended inside a value or with open brackets.
    Truncated,
    /// A word that is no value.
    Token(String),
    /// An escape without a single reading.
    Escape(String),
    /// More than [`MAX_DEPTH`] levels.
    Depth,
    /// Anything else: what belongs there, and what stands there.
    Expected(&'static str, String),
}

/// What a text holds: at least one value; more than one only if all are objects.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) documents: Vec<Node>,
    pub(super) repairs: Vec<RepairKind>,
}

/// Parses the whole text.
///
/// `depth` is how many levels already surround it.
///
/// # Errors
/// The first fault in reading order.
pub(super) fn parse(text: &str, dialect: Dialect, depth: usize) -> Result<Parsed, ParseError> {
    let mut parser = Parser {
        text,
        bytes: text.as_bytes(),
        at: 0,
        dialect,
        left: MAX_DEPTH.saturating_sub(depth),
        limit: MAX_DEPTH.saturating_sub(depth),
        repairs: Vec::new(),
    };
    if dialect == Dialect::Python {
        parser.note(RepairKind::PythonLiteral);
    }
    let documents = parser.documents()?;
    Ok(Parsed {
        documents,
        repairs: parser.repairs,
    })
}

pub(super) struct Parser<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    pub(super) at: usize,
    pub(super) dialect: Dialect,
    left: usize,
    limit: usize,
    repairs: Vec<RepairKind>,
}

impl Parser<'_> {
    fn documents(&mut self) -> Result<Vec<Node>, ParseError> {
        let mut documents = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                None if documents.is_empty() => return Err(self.truncated()),
                None => return Ok(documents),
                Some(byte) => {
                    let objects = byte == b'{' && matches!(documents.last(), Some(Node::Object(_)));
                    if !documents.is_empty() && !objects {
                        return Err(self.expected("nothing after the object"));
                    }
                }
            }
            documents.push(self.value()?);
        }
    }

    fn value(&mut self) -> Result<Node, ParseError> {
        match self.peek() {
            None => Err(self.truncated()),
            Some(b'{') => self.nested(Self::object),
            Some(b'[') => self.nested(Self::list),
            Some(quote @ (b'"' | b'\'')) if self.is_quote(quote) => {
                self.string(quote).map(Node::Text)
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.word(self.at),
            Some(_) => Err(self.expected("a value")),
        }
    }

    fn nested(
        &mut self,
        read: fn(&mut Self) -> Result<Node, ParseError>,
    ) -> Result<Node, ParseError> {
        if self.left == 0 {
            return Err(self.fault(Fault::Depth));
        }
        self.left -= 1;
        self.at += 1;
        let node = read(self)?;
        self.left += 1;
        Ok(node)
    }

    fn list(&mut self) -> Result<Node, ParseError> {
        let mut items = Vec::new();
        self.blanks();
        if self.eat(b']') {
            return Ok(Node::List(items));
        }
        loop {
            items.push(self.value()?);
            if self.closes(b']', "`,` or `]`")? {
                return Ok(Node::List(items));
            }
        }
    }

    fn object(&mut self) -> Result<Node, ParseError> {
        let mut entries = Vec::new();
        self.blanks();
        if !self.eat(b'}') {
            loop {
                let key = match self.peek() {
                    None => return Err(self.truncated()),
                    Some(quote) if self.is_quote(quote) => self.string(quote)?,
                    Some(_) => return Err(self.expected("a key in double quotes")),
                };
                self.blanks();
                if !self.eat(b':') {
                    return Err(self.at_end_or("`:` after a key"));
                }
                self.blanks();
                entries.push((key, self.value()?));
                if self.closes(b'}', "`,` or `}`")? {
                    break;
                }
            }
        }
        let (object, merged) = Object::from_entries(entries);
        if merged {
            self.note(RepairKind::RepeatedKey);
        }
        Ok(Node::Object(Box::new(object)))
    }

    /// After an element: `true` at the closing bracket, `false` before the next element.
    fn closes(&mut self, bracket: u8, expected: &'static str) -> Result<bool, ParseError> {
        self.blanks();
        if self.eat(bracket) {
            return Ok(true);
        }
        if !self.eat(b',') {
            return Err(self.at_end_or(expected));
        }
        self.blanks();
        if self.dialect != Dialect::Strict && self.eat(bracket) {
            self.note(RepairKind::TrailingComma);
            return Ok(true);
        }
        Ok(false)
    }

    fn number(&mut self) -> Result<Node, ParseError> {
        let start = self.at;
        self.eat(b'-');
        match self.peek() {
            None => return Err(self.truncated()),
            Some(b'0') => {
                self.at += 1;
                if matches!(self.peek(), Some(b'0'..=b'9')) {
                    return Err(self.expected("a number without leading zeros"));
                }
            }
            Some(b'1'..=b'9') => self.digits(),
            Some(byte) if byte.is_ascii_alphabetic() => return self.word(start),
            Some(_) => return Err(self.expected("a digit")),
        }
        if self.eat(b'.') {
            self.some_digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            if !self.eat(b'-') {
                self.eat(b'+');
            }
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(self.expected("the end of a number"));
        }
        Ok(Node::Number(Num::from_token(
            self.text.get(start..self.at).unwrap_or_default(),
        )))
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), ParseError> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.at_end_or("a digit"));
        }
        self.digits();
        Ok(())
    }

    /// A bare word; `start` is before a minus sign, if there is one.
    fn word(&mut self, start: usize) -> Result<Node, ParseError> {
        let begin = self.at;
        while matches!(self.peek(), Some(byte) if byte.is_ascii_alphanumeric() || byte == b'_') {
            self.at += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        let words = match self.dialect {
            Dialect::Strict | Dialect::Lenient => ["true", "false", "null"],
            Dialect::Python => ["True", "False", "None"],
        };
        let read = words.iter().position(|known| *known == word);
        if read.is_none() && self.peek().is_none() {
            // Inside of brackets the text ends too early whatever the word was to be.
            let inside = self.left < self.limit;
            if inside || words.iter().any(|known| known.starts_with(word)) {
                return Err(self.truncated());
            }
        }
        match read {
            Some(0) => Ok(Node::Bool(true)),
            Some(1) => Ok(Node::Bool(false)),
            Some(_) => Ok(Node::Null),
            None => {
                let fault = match word {
                    "true" | "false" | "null" => Fault::Expected(
                        "one notation throughout, JSON or Python",
                        format!("`{word}`"),
                    ),
                    _ => Fault::Token(cut(word)),
                };
                Err(ParseError { at: begin, fault })
            }
        }
    }

    pub(super) fn is_quote(&self, byte: u8) -> bool {
        byte == b'"' || byte == b'\'' && self.dialect == Dialect::Python
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Records each kind once per text.
    pub(super) fn note(&mut self, kind: RepairKind) {
        if !self.repairs.contains(&kind) {
            self.repairs.push(kind);
        }
    }

    pub(super) fn fault(&self, fault: Fault) -> ParseError {
        ParseError { at: self.at, fault }
    }

    pub(super) fn truncated(&self) -> ParseError {
        ParseError {
            at: self.bytes.len(),
            fault: Fault::Truncated,
        }
    }

    pub(super) fn expected(&self, what: &'static str) -> ParseError {
        let near: String = self
            .text
            .get(self.at..)
            .unwrap_or_default()
            .chars()
            .take(20)
            .collect();
        self.fault(Fault::Expected(what, format!("`{}`", one_line(&near))))
    }

    fn at_end_or(&self, what: &'static str) -> ParseError {
        if self.peek().is_none() {
            self.truncated()
        } else {
            self.expected(what)
        }
    }
}
