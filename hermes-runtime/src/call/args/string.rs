//! String literals: escapes with one reading, and those without.

use super::parse::{Dialect, Fault, ParseError, Parser};
use super::repair::RepairKind;

/// What an escape stands for.
enum Escape {
    /// This character, and a raw backslash could not have been meant.
    Quote(char),
    /// This character, unless backslashes are raw in this string.
    Char(char),
    /// Nothing (Python's line continuation).
    Nothing,
    /// No escape: the backslash itself.
    Literal,
}

impl Parser<'_> {
    /// Reads a string from its opening quote to behind its closing one.
    ///
    /// A backslash that starts no escape is literal, but not beside one that could be read either
    /// way: in `C:\dir\new` the `\n` may be a line feed or two characters, and nobody can tell.
    pub(super) fn string(&mut self, quote: u8) -> Result<String, ParseError> {
        self.at += 1;
        let mut out = String::new();
        let mut literal = None;
        let mut either = false;
        loop {
            let start = self.at;
            while matches!(self.peek(), Some(byte) if byte != quote && byte != b'\\' && byte >= b' ')
            {
                self.at += 1;
            }
            // The run ends at an ASCII byte or the end, so both ends are character boundaries.
            out.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.peek() {
                None => return Err(self.truncated()),
                Some(byte) if byte == quote => {
                    self.at += 1;
                    break;
                }
                Some(b'\\') => {
                    let start = self.at;
                    match self.escape()? {
                        Escape::Quote(character) => out.push(character),
                        Escape::Char(character) => {
                            either = true;
                            out.push(character);
                        }
                        Escape::Nothing => either = true,
                        Escape::Literal => {
                            out.push('\\');
                            literal.get_or_insert(start);
                        }
                    }
                }
                Some(control) => {
                    if self.dialect == Dialect::Strict {
                        return Err(self.expected("no raw control character in a string"));
                    }
                    self.note(RepairKind::ControlCharacter);
                    out.push(char::from(control));
                    self.at += 1;
                }
            }
        }
        if let Some(start) = literal {
            if either {
                return Err(self.fault(Fault::Escape(self.escape_text(start))));
            }
            self.note(RepairKind::Backslash);
        }
        Ok(out)
    }

    /// Reads an escape from its backslash; of a literal one only the backslash.
    fn escape(&mut self) -> Result<Escape, ParseError> {
        let start = self.at;
        self.at += 1;
        let Some(byte) = self.peek() else {
            return Err(self.truncated());
        };
        let simple = match byte {
            b'"' => return Ok(self.simple(Escape::Quote('"'))),
            b'\'' if self.dialect == Dialect::Python => return Ok(self.simple(Escape::Quote('\''))),
            b'\\' => Some('\\'),
            b'/' if self.dialect != Dialect::Python => Some('/'),
            b'b' => Some('\u{8}'),
            b'f' => Some('\u{c}'),
            b'n' => Some('\n'),
            b'r' => Some('\r'),
            b't' => Some('\t'),
            b'a' if self.dialect == Dialect::Python => Some('\u{7}'),
            b'v' if self.dialect == Dialect::Python => Some('\u{b}'),
            _ => None,
        };
        if let Some(character) = simple {
            return Ok(self.simple(Escape::Char(character)));
        }
        match (byte, self.dialect) {
            (b'u', _) => {
                self.at += 1;
                self.unicode(start).map(Escape::Char)
            }
            (_, Dialect::Strict) => Err(ParseError {
                at: start,
                fault: Fault::Escape(self.escape_text(start)),
            }),
            (b'x', Dialect::Python) => self.code(start, 2),
            (b'U', Dialect::Python) => self.code(start, 8),
            (b'0'..=b'7', Dialect::Python) => {
                let mut code = 0;
                for _ in 0..3 {
                    let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(8))
                    else {
                        break;
                    };
                    code = code * 8 + digit;
                    self.at += 1;
                }
                char::from_u32(code)
                    .map(Escape::Char)
                    .ok_or_else(|| self.bad_escape(start))
            }
            (b'\n', Dialect::Python) => Ok(self.simple(Escape::Nothing)),
            // Names of characters would need a table.
            (b'N', Dialect::Python) => Err(self.bad_escape(start)),
            _ => Ok(Escape::Literal),
        }
    }

    fn simple(&mut self, escape: Escape) -> Escape {
        self.at += 1;
        escape
    }

    fn code(&mut self, start: usize, digits: usize) -> Result<Escape, ParseError> {
        self.at += 1;
        let code = self.hex(start, digits)?;
        char::from_u32(code)
            .map(Escape::Char)
            .ok_or_else(|| self.bad_escape(start))
    }

    /// What follows `\u`; a surrogate pair is one character, half a pair is none.
    fn unicode(&mut self, start: usize) -> Result<char, ParseError> {
        let high = self.hex(start, 4)?;
        let code = if (0xd800..0xdc00).contains(&high) {
            if self.peek().is_none() {
                return Err(self.truncated());
            }
            if !self.eat(b'\\') || !self.eat(b'u') {
                return Err(if self.peek().is_none() {
                    self.truncated()
                } else {
                    self.bad_escape(start)
                });
            }
            let low = self.hex(start, 4)?;
            if !(0xdc00..0xe000).contains(&low) {
                return Err(self.bad_escape(start));
            }
            0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)
        } else {
            high
        };
        char::from_u32(code).ok_or_else(|| self.bad_escape(start))
    }

    fn hex(&mut self, start: usize, digits: usize) -> Result<u32, ParseError> {
        let mut code: u32 = 0;
        for _ in 0..digits {
            let Some(byte) = self.peek() else {
                return Err(self.truncated());
            };
            let Some(digit) = char::from(byte).to_digit(16) else {
                return Err(self.bad_escape(start));
            };
            code = code.wrapping_mul(16).wrapping_add(digit);
            self.at += 1;
        }
        Ok(code)
    }

    fn bad_escape(&self, start: usize) -> ParseError {
        ParseError {
            at: start,
            fault: Fault::Escape(self.escape_text(start)),
        }
    }

    /// The escape as a message shows it.
    fn escape_text(&self, start: usize) -> String {
        let mut text = self.text.get(start..).unwrap_or_default().chars();
        let mut shown: String = text.by_ref().take(2).collect();
        if shown.ends_with('u') {
            shown.extend(text.take(4).take_while(|c| !c.is_control() && *c != '"'));
        }
        shown
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect()
    }
}
