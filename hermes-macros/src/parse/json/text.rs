//! JSON text: checked, and written again without the blanks between its parts.

use super::is_number;
use std::iter::Peekable;
use std::str::Chars;

/// What parsers of JSON allow, serde's among them.
const DEEPEST: usize = 127;

#[derive(Debug, PartialEq)]
pub(super) enum Fault {
    /// JSON perhaps, but no object.
    NoObject,
    /// A key that stands twice in one object.
    Twice(String),
    /// What is wrong, and where.
    Syntax(String),
}

/// The text of one object in its shortest form, and its keys.
pub(super) fn object(source: &str) -> Result<(String, Vec<String>), Fault> {
    let mut reader = Reader {
        chars: source.chars().peekable(),
        line: 1,
        column: 1,
        depth: 0,
        text: String::new(),
        keys: Vec::new(),
    };
    if reader.peek() != Some('{') {
        return Err(Fault::NoObject);
    }
    reader.value()?;
    match reader.peek() {
        None => Ok((reader.text, reader.keys)),
        Some(_) => Err(reader.expected("nothing behind the object")),
    }
}

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
    line: usize,
    column: usize,
    depth: usize,
    text: String,
    /// Those of the outer object.
    keys: Vec<String>,
}

impl Reader<'_> {
    /// The next character behind blanks.
    fn peek(&mut self) -> Option<char> {
        while let Some(' ' | '\t' | '\n' | '\r') = self.chars.peek() {
            self.step();
        }
        self.chars.peek().copied()
    }

    fn step(&mut self) -> Option<char> {
        let c = self.chars.next()?;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    /// Takes what stands next, which was seen.
    fn keep(&mut self) {
        if let Some(c) = self.step() {
            self.text.push(c);
        }
    }

    fn expected(&mut self, what: &str) -> Fault {
        let got = match self.chars.peek() {
            None => "its end".to_owned(),
            Some(c) => format!("`{}`", c.escape_debug()),
        };
        Fault::Syntax(format!(
            "at line {}, column {} it needs {what}, got {got}",
            self.line, self.column
        ))
    }

    fn value(&mut self) -> Result<(), Fault> {
        match self.peek() {
            Some('{') => self.nested('}'),
            Some('[') => self.nested(']'),
            Some('"') => self.string().map(drop),
            Some(_) => self.scalar(),
            None => Err(self.expected("a value")),
        }
    }

    /// An object or a list.
    fn nested(&mut self, close: char) -> Result<(), Fault> {
        if self.depth == DEEPEST {
            return Err(self.expected("less nesting"));
        }
        self.depth += 1;
        self.keep();
        let mut seen = Vec::new();
        let mut first = true;
        loop {
            match self.peek() {
                Some(c) if c == close && first => break,
                _ if first => {}
                Some(c) if c == close => break,
                Some(',') => {
                    self.keep();
                    self.peek();
                }
                _ => return Err(self.expected(&format!("`,` or `{close}`"))),
            }
            first = false;
            if close == '}' {
                self.key(&mut seen)?;
            }
            self.value()?;
        }
        self.keep();
        self.depth -= 1;
        Ok(())
    }

    fn key(&mut self, seen: &mut Vec<String>) -> Result<(), Fault> {
        if self.peek() != Some('"') {
            return Err(self.expected("a key in double quotes"));
        }
        let key = self.string()?;
        if seen.contains(&key) {
            return Err(Fault::Twice(key));
        }
        if self.depth == 1 {
            self.keys.push(key.clone());
        }
        seen.push(key);
        if self.peek() != Some(':') {
            return Err(self.expected("`:`"));
        }
        self.keep();
        Ok(())
    }

    /// A number or a word.
    fn scalar(&mut self) -> Result<(), Fault> {
        let (line, column) = (self.line, self.column);
        let mut scalar = String::new();
        while let Some(c) = self.chars.peek()
            && (c.is_alphanumeric() || "+-._".contains(*c))
        {
            scalar.push(*c);
            self.step();
        }
        if scalar.is_empty() {
            return Err(self.expected("a value"));
        }
        if is_number(&scalar) || ["true", "false", "null"].contains(&scalar.as_str()) {
            self.text.push_str(&scalar);
            return Ok(());
        }
        Err(Fault::Syntax(format!(
            "at line {line}, column {column} it needs a value, got `{scalar}`"
        )))
    }

    /// A string, copied as it is; its value.
    fn string(&mut self) -> Result<String, Fault> {
        let mut value = String::new();
        self.keep();
        loop {
            match self.chars.peek().copied() {
                Some('"') => {
                    self.keep();
                    return Ok(value);
                }
                Some('\\') => value.push(self.escape()?),
                Some(c) if c >= ' ' => {
                    self.keep();
                    value.push(c);
                }
                Some('\n') | None => return Err(self.expected("`\"`")),
                Some(_) => return Err(self.expected("an escape such as `\\t`")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        self.keep();
        let c = match self.chars.peek() {
            Some(c @ ('"' | '\\' | '/')) => *c,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode(),
            _ => return Err(self.expected("an escape (write `\\\\` for a backslash)")),
        };
        self.keep();
        Ok(c)
    }

    /// `\u00e9`, or two of them for what is beyond 16 bits.
    fn unicode(&mut self) -> Result<char, Fault> {
        let unit = self.unit()?;
        let mut units = vec![unit];
        if (0xd800..0xdc00).contains(&unit) {
            for wanted in ['\\', 'u'] {
                if self.chars.peek() != Some(&wanted) {
                    return Err(self.expected("the second half of a surrogate pair"));
                }
                if wanted == '\\' {
                    self.keep();
                }
            }
            units.push(self.unit()?);
        }
        match char::decode_utf16(units).next() {
            Some(Ok(c)) => Ok(c),
            _ => Err(self.expected("a whole surrogate pair before this")),
        }
    }

    /// `u` and four digits.
    fn unit(&mut self) -> Result<u16, Fault> {
        self.keep();
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.chars.peek().and_then(|c| c.to_digit(16)) else {
                return Err(self.expected("four hexadecimal digits behind `\\u`"));
            };
            self.keep();
            unit = unit * 16 + u16::try_from(digit).unwrap_or_default();
        }
        Ok(unit)
    }
}
