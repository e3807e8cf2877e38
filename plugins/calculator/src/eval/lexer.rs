//! Text to tokens.

use num_bigint::BigInt;

use super::{EvalError, Limit, MAX_BITS, MAX_DIGITS, Number, SyntaxError};

/// A token and the position of its first character, from 1.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: usize,
}

#[derive(Debug)]
pub(super) enum Kind {
    Number(Number),
    Name(String),
    Symbol(Symbol),
}

/// An operator, a bracket or a comma.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Symbol {
    Plus,
    Minus,
    Star,
    Slash,
    DoubleSlash,
    Percent,
    Power,
    Bang,
    Open,
    Close,
    Comma,
}

impl Symbol {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Plus => "+",
            Self::Minus => "-",
            Self::Star => "*",
            Self::Slash => "/",
            Self::DoubleSlash => "//",
            Self::Percent => "%",
            Self::Power => "**",
            Self::Bang => "!",
            Self::Open => "(",
            Self::Close => ")",
            Self::Comma => ",",
        }
    }
}

impl Kind {
    /// The token for a message, cut if it is long.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Number(number) => shortened(&number.to_json()),
            Self::Name(name) => shortened(name),
            Self::Symbol(symbol) => symbol.as_str().to_owned(),
        }
    }
}

/// Text from outside for a message: at most 40 characters.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;

    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Splits an expression; blanks count for nothing but separate.
pub(super) fn tokens(expression: &str) -> Result<Vec<Token>, EvalError> {
    let mut lexer = Lexer {
        rest: expression,
        at: 1,
    };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next_token()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    rest: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn next_token(&mut self) -> Result<Option<Token>, EvalError> {
        self.take(char::is_whitespace);
        let at = self.at;
        let Some(first) = self.rest.chars().next() else {
            return Ok(None);
        };
        let second = self.rest[first.len_utf8()..].chars().next();
        let starts_number = first.is_ascii_digit()
            || first == '.' && second.is_some_and(|second| second.is_ascii_digit());
        let kind = if starts_number {
            Kind::Number(self.number()?)
        } else if first.is_ascii_alphabetic() || first == '_' || first == 'π' {
            Kind::Name(self.take(is_name_character).to_owned())
        } else {
            Kind::Symbol(self.symbol(first, second)?)
        };
        Ok(Some(Token { kind, at }))
    }

    /// Moves over the characters that belong together.
    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|character| !belongs(character));
        let (taken, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.at += taken.chars().count();
        self.rest = rest;
        taken
    }

    fn symbol(&mut self, first: char, second: Option<char>) -> Result<Symbol, SyntaxError> {
        let (symbol, length) = match (first, second) {
            ('*', Some('*')) => (Symbol::Power, 2),
            ('/', Some('/')) => (Symbol::DoubleSlash, 2),
            ('!', Some('=')) => return Err(self.unknown(first)),
            ('+', _) => (Symbol::Plus, 1),
            ('-' | '−', _) => (Symbol::Minus, 1),
            ('*' | '×' | '·', _) => (Symbol::Star, 1),
            ('/' | '÷', _) => (Symbol::Slash, 1),
            ('%', _) => (Symbol::Percent, 1),
            ('^', _) => (Symbol::Power, 1),
            ('!', _) => (Symbol::Bang, 1),
            ('(', _) => (Symbol::Open, 1),
            (')', _) => (Symbol::Close, 1),
            (',', _) => (Symbol::Comma, 1),
            _ => return Err(self.unknown(first)),
        };
        let mut characters = self.rest.chars();
        for _ in 0..length {
            characters.next();
        }
        self.rest = characters.as_str();
        self.at += length;
        Ok(symbol)
    }

    fn unknown(&self, found: char) -> SyntaxError {
        SyntaxError::Character { found, at: self.at }
    }

    fn number(&mut self) -> Result<Number, EvalError> {
        let at = self.at;
        let text = self.number_text();
        if let Some((radix, digits)) = radix_and_digits(text) {
            return match without_underscores(digits, true) {
                Some(digits) => integer(&digits, radix, at, text),
                None => Err(bad(text, at)),
            };
        }
        match decimal(text) {
            Some(Decimal::Int(digits)) => integer(&digits, 10, at, text),
            Some(Decimal::Float(digits)) => match digits.parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Number::Float(value)),
                Ok(_) => Err(EvalError::NotFinite),
                Err(_) => Err(bad(text, at)),
            },
            None => Err(bad(text, at)),
        }
    }

    /// All that sticks to a number, so that `2pi` and `1.2.3` are told as one mistake.
    fn number_text(&mut self) -> &'a str {
        let start = self.rest;
        self.take(|character| is_name_character(character) || character == '.');
        let prefixed = radix_and_digits(start).is_some();
        let taken = &start[..start.len() - self.rest.len()];
        // The sign of an exponent: `1e-7`.
        if !prefixed && taken.ends_with(['e', 'E']) && self.rest.starts_with(['+', '-']) {
            let mantissa = &taken[..taken.len() - 1];
            if mantissa.bytes().all(|byte| b"0123456789._".contains(&byte)) {
                self.rest = &self.rest[1..];
                self.at += 1;
                self.take(|character| is_name_character(character) || character == '.');
            }
        }
        &start[..start.len() - self.rest.len()]
    }
}

fn is_name_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn bad(text: &str, at: usize) -> EvalError {
    let text = shortened(text);
    SyntaxError::Number { text, at }.into()
}

fn radix_and_digits(text: &str) -> Option<(u32, &str)> {
    let mut characters = text.chars();
    if characters.next() != Some('0') {
        return None;
    }
    let radix = match characters.next()? {
        'x' | 'X' => 16,
        'o' | 'O' => 8,
        'b' | 'B' => 2,
        _ => return None,
    };
    Some((radix, characters.as_str()))
}

enum Decimal {
    Int(String),
    Float(String),
}

/// Checks Python's grammar of decimal numbers: underscores between digits only, no leading
/// zeros on integers, digits on at least one side of the point.
fn decimal(text: &str) -> Option<Decimal> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    if exponent.is_none() && fraction.is_none() {
        let digits = without_underscores(whole, false)?;
        let is_padded = digits.starts_with('0') && digits.bytes().any(|byte| byte != b'0');
        return (!is_padded && is_decimal(&digits)).then_some(Decimal::Int(digits));
    }
    let mut clean = String::with_capacity(text.len());
    for part in [whole, fraction.unwrap_or("")] {
        if !part.is_empty() {
            clean.push_str(&without_underscores(part, false)?);
        }
        clean.push('.');
    }
    clean.pop();
    if !clean
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
        || clean.len() < 2
    {
        return None;
    }
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let sign = if exponent.starts_with('-') { "-" } else { "" };
        let digits = without_underscores(digits, false)?;
        if !is_decimal(&digits) {
            return None;
        }
        clean.push('e');
        clean.push_str(sign);
        clean.push_str(&digits);
    }
    Some(Decimal::Float(clean))
}

/// Drops underscores, which must stand between digits; `leading` allows one at the start, as
/// in `0x_ff`. `None` for no digits at all.
fn without_underscores(text: &str, leading: bool) -> Option<String> {
    let text = if leading {
        text.strip_prefix('_').unwrap_or(text)
    } else {
        text
    };
    if text.split('_').any(str::is_empty) {
        return None;
    }
    Some(text.replace('_', ""))
}

fn is_decimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn integer(digits: &str, radix: u32, at: usize, text: &str) -> Result<Number, EvalError> {
    if !digits.chars().all(|character| character.is_digit(radix)) {
        return Err(bad(text, at));
    }
    // Lengths come first: only what is within the limits is converted.
    let digits = match digits.trim_start_matches('0') {
        "" => "0",
        significant => significant,
    };
    let bits_per_digit = u64::from(radix.ilog2());
    let length = u64::try_from(digits.len()).unwrap_or(u64::MAX);
    let is_too_long = if radix == 10 {
        digits.len() > MAX_DIGITS
    } else {
        length.saturating_mul(bits_per_digit) > MAX_BITS
    };
    if is_too_long {
        return Err(Limit::Literal { at }.into());
    }
    match BigInt::parse_bytes(digits.as_bytes(), radix) {
        Some(value) => Ok(Number::Int(value)),
        None => Err(bad(text, at)),
    }
}
