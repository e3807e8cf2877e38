//! Tokens to a postfix program, by precedence climbing.

use std::iter::Peekable;
use std::vec;

use super::functions::{self, Row};
use super::lexer::{Kind, Symbol, Token, shortened};
use super::machine::{Binary, Step};
use super::{EvalError, Limit, MAX_DEPTH, Number, SyntaxError};

/// How tightly operators bind, Python's order; postfix `!` binds tightest of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Sum,
    Product,
    Unary,
    Power,
}

/// Writes the program that computes the expression of `tokens`.
pub(super) fn parse(tokens: Vec<Token>) -> Result<Vec<Step>, EvalError> {
    let mut parser = Parser {
        steps: Vec::with_capacity(tokens.len()),
        tokens: tokens.into_iter().peekable(),
        previous: String::new(),
        depth: 0,
    };
    parser.expression(Precedence::Sum)?;
    match parser.tokens.next() {
        Some(token) => Err(unexpected(&token)),
        None => Ok(parser.steps),
    }
}

struct Parser {
    tokens: Peekable<vec::IntoIter<Token>>,
    steps: Vec<Step>,
    /// The operator, bracket or comma before the token that is looked at.
    previous: String,
    depth: usize,
}

impl Parser {
    fn expression(&mut self, least: Precedence) -> Result<(), EvalError> {
        if self.is_next(Symbol::Plus) || self.is_next(Symbol::Minus) {
            self.signs()?;
        } else {
            self.operand()?;
            self.postfix()?;
        }
        while let Some((operator, precedence)) = self.operator() {
            if precedence < least {
                break;
            }
            self.symbol();
            match precedence {
                Precedence::Sum => self.expression(Precedence::Product)?,
                Precedence::Product => self.expression(Precedence::Unary)?,
                // Right-associative, and the exponent may have a sign: `2**-2**2`.
                Precedence::Unary | Precedence::Power => {
                    self.nested(|parser| parser.expression(Precedence::Unary))?;
                }
            }
            self.steps.push(Step::Binary(operator));
        }
        Ok(())
    }

    /// A chain of signs of any length, without recursion; then what they stand before.
    fn signs(&mut self) -> Result<(), EvalError> {
        let mut is_negative = false;
        loop {
            if self.is_next(Symbol::Minus) {
                is_negative = !is_negative;
            } else if !self.is_next(Symbol::Plus) {
                break;
            }
            self.symbol();
        }
        self.expression(Precedence::Unary)?;
        if is_negative {
            self.steps.push(Step::Negate);
        }
        Ok(())
    }

    fn operand(&mut self) -> Result<(), EvalError> {
        let Some(token) = self.tokens.next() else {
            let after = std::mem::take(&mut self.previous);
            return Err(SyntaxError::End { after }.into());
        };
        match token.kind {
            Kind::Number(number) => {
                self.steps.push(Step::Push(number));
                Ok(())
            }
            Kind::Name(name) if self.is_next(Symbol::Open) => self.call(&name),
            Kind::Name(name) => {
                self.steps.push(Step::Push(named(&name)?));
                Ok(())
            }
            Kind::Symbol(Symbol::Open) => {
                Symbol::Open.as_str().clone_into(&mut self.previous);
                self.nested(|parser| parser.expression(Precedence::Sum))?;
                self.close(token.at)
            }
            Kind::Symbol(_) => Err(unexpected(&token)),
        }
    }

    fn call(&mut self, name: &str) -> Result<(), EvalError> {
        let Some(row) = functions::find(name) else {
            return Err(EvalError::UnknownFunction(shortened(name)));
        };
        let at = self.tokens.peek().map_or(0, |token| token.at);
        self.symbol();
        let mut count = 0;
        while !self.is_next(Symbol::Close) {
            self.nested(|parser| parser.expression(Precedence::Sum))?;
            count += 1;
            if !self.is_next(Symbol::Comma) {
                break;
            }
            self.symbol(); // one after the last argument is fine, as in Python
        }
        self.close(at)?;
        check_count(row, count)?;
        self.steps.push(Step::Call(row.function, count));
        Ok(())
    }

    fn close(&mut self, opened: usize) -> Result<(), EvalError> {
        match self.tokens.next() {
            Some(token) if matches!(token.kind, Kind::Symbol(Symbol::Close)) => Ok(()),
            Some(token) => Err(unexpected(&token)),
            None => Err(SyntaxError::Unclosed { at: opened }.into()),
        }
    }

    fn postfix(&mut self) -> Result<(), EvalError> {
        if !self.is_next(Symbol::Bang) {
            return Ok(());
        }
        self.symbol();
        self.steps.push(Step::Factorial);
        match self.tokens.peek() {
            Some(token) if matches!(token.kind, Kind::Symbol(Symbol::Bang)) => {
                Err(SyntaxError::DoubleFactorial { at: token.at }.into())
            }
            _ => Ok(()),
        }
    }

    fn operator(&mut self) -> Option<(Binary, Precedence)> {
        let Kind::Symbol(symbol) = self.tokens.peek()?.kind else {
            return None;
        };
        match symbol {
            Symbol::Plus => Some((Binary::Add, Precedence::Sum)),
            Symbol::Minus => Some((Binary::Subtract, Precedence::Sum)),
            Symbol::Star => Some((Binary::Multiply, Precedence::Product)),
            Symbol::Slash => Some((Binary::Divide, Precedence::Product)),
            Symbol::DoubleSlash => Some((Binary::FloorDivide, Precedence::Product)),
            Symbol::Percent => Some((Binary::Modulo, Precedence::Product)),
            Symbol::Power => Some((Binary::Power, Precedence::Power)),
            Symbol::Bang | Symbol::Open | Symbol::Close | Symbol::Comma => None,
        }
    }

    /// All recursion that input can drive passes here.
    fn nested(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<(), EvalError>,
    ) -> Result<(), EvalError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Limit::Depth.into());
        }
        inner(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn is_next(&mut self, symbol: Symbol) -> bool {
        matches!(self.tokens.peek(), Some(Token { kind: Kind::Symbol(next), .. }) if *next == symbol)
    }

    /// Takes a token whose kind is already known, and remembers it for a message.
    fn symbol(&mut self) {
        if let Some(Token {
            kind: Kind::Symbol(symbol),
            ..
        }) = self.tokens.next()
        {
            symbol.as_str().clone_into(&mut self.previous);
        }
    }
}

fn named(name: &str) -> Result<Number, EvalError> {
    if let Some(value) = functions::constant(name) {
        return Ok(Number::Float(value));
    }
    if ["inf", "infinity", "nan"].contains(&name.to_ascii_lowercase().as_str()) {
        return Err(EvalError::NotFinite);
    }
    match functions::find(name) {
        Some(row) => Err(EvalError::NotCalled(row.name)),
        None => Err(EvalError::UnknownName(shortened(name))),
    }
}

fn check_count(row: &Row, got: usize) -> Result<(), EvalError> {
    let (least, most) = row.arguments;
    if (least..=most).contains(&got) {
        return Ok(());
    }
    Err(EvalError::Arguments {
        function: row.name,
        wanted: row.arguments,
        got,
    })
}

fn unexpected(token: &Token) -> EvalError {
    let found = token.kind.text();
    SyntaxError::Unexpected {
        found,
        at: token.at,
    }
    .into()
}
