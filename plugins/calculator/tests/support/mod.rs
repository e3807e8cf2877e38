//! What the suites of the calculator share: a seeded generator of expressions.

#![allow(dead_code, reason = "each suite uses its part")]

use std::fmt::Write as _;

/// Prints for whoever reads the output of a test.
#[allow(clippy::print_stderr, reason = "the note is for the terminal")]
pub(crate) fn note(text: &str) {
    eprintln!("{text}");
}

/// Random expressions, the same on every run: `SplitMix64` from a fixed seed.
pub(crate) struct Generator {
    state: u64,
}

const FUNCTIONS: &[(&str, usize)] = &[
    ("sqrt", 1),
    ("sin", 1),
    ("cos", 1),
    ("tan", 1),
    ("asin", 1),
    ("acos", 1),
    ("atan", 1),
    ("log", 1),
    ("log", 2),
    ("log2", 1),
    ("log10", 1),
    ("ln", 1),
    ("exp", 1),
    ("abs", 1),
    ("round", 1),
    ("round", 2),
    ("floor", 1),
    ("ceil", 1),
    ("min", 2),
    ("min", 3),
    ("max", 2),
    ("max", 3),
    ("pow", 2),
    ("factorial", 1),
];

const OPERATORS: &[&str] = &[
    "+", "+", "-", "-", "*", "*", "/", "/", "//", "%", "%", "**", "^",
];

const SOUP: &[&str] = &[
    "1", "2", "0", "7", "10", "1_000", "1__0", "0x1F", "0x_f", "0b102", "0o17", "012", "00", ".5",
    "5.", "1.5", "1e3", "1E-2", "1e", "2_.5", "1_0.0_1", "+", "-", "*", "/", "%", "^", "(", ")",
    "(", ")", ",", " ", " ", " ", "pi", "e", "x", "sqrt", "max", "sqrt(", "abs(", "round(",
    "min(1,", "log(", "pow(2,", "=", "<", "~", "&", "[", "]", "'", "\"", ".", "_",
];

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let bound = u64::try_from(from.len()).expect("a short list");
        let index = usize::try_from(self.below(bound)).expect("an index");
        from[index]
    }

    /// Well formed, of a moderate size.
    pub(crate) fn expression(&mut self) -> String {
        let mut text = String::new();
        let depth = 1 + self.below(4);
        self.write(&mut text, depth);
        text
    }

    /// Tokens in no order; some are an expression by chance.
    pub(crate) fn token_soup(&mut self) -> String {
        (0..=self.below(9)).map(|_| self.pick(SOUP)).collect()
    }

    fn write(&mut self, text: &mut String, depth: u64) {
        if depth == 0 {
            self.write_number(text);
            return;
        }
        match self.below(12) {
            0 => self.write_number(text),
            1 => {
                text.push_str(self.pick(&["-", "-", "+", "--", "- "]));
                self.write(text, depth - 1);
            }
            2..=4 => {
                text.push('(');
                self.write(text, depth - 1);
                text.push(')');
            }
            5 | 6 => self.write_call(text, depth),
            _ => {
                self.write(text, depth - 1);
                let blank = self.pick(&["", " "]);
                let operator = self.pick(OPERATORS);
                text.push_str(blank);
                text.push_str(operator);
                text.push_str(blank);
                let right = if matches!(operator, "**" | "^") && self.below(4) > 0 {
                    0
                } else {
                    depth - 1
                };
                self.write(text, right);
            }
        }
    }

    fn write_call(&mut self, text: &mut String, depth: u64) {
        let bound = u64::try_from(FUNCTIONS.len()).expect("a short list");
        let index = usize::try_from(self.below(bound)).expect("an index");
        let (name, arguments) = FUNCTIONS[index];
        text.push_str(name);
        text.push('(');
        for argument in 0..arguments {
            if argument > 0 {
                text.push_str(", ");
            }
            if name == "factorial" && self.below(8) > 0 {
                write_to(text, self.below(60));
            } else if name == "round" && argument == 1 && self.below(8) > 0 {
                text.push_str(self.pick(&["-", ""]));
                let bound = self.pick(&["4", "20", "330"]).parse().expect("a number");
                write_to(text, self.below(bound));
            } else {
                self.write(text, depth - 1);
            }
        }
        text.push(')');
    }

    fn write_number(&mut self, text: &mut String) {
        match self.below(24) {
            0..=8 => write_to(text, self.below(13)),
            9 | 10 => write_to(text, self.below(10_000)),
            11 => write_to(text, self.next() >> self.below(64)),
            12 => {
                // An integer beyond 64 bits, sometimes beyond the range of floats.
                write_to(text, 1 + self.below(9));
                for _ in 0..=self.below(20) {
                    write_to(text, self.next());
                }
            }
            13..=16 => {
                write_to(text, self.below(100));
                text.push('.');
                write_to(text, self.below(1000));
            }
            17 => {
                // A half, for rounding.
                write_to(text, self.below(2000));
                text.push_str(self.pick(&[".5", ".25", ".125", ".05", ".005"]));
            }
            18 => {
                write_to(text, self.below(100));
                text.push_str(self.pick(&["e", "E", "e+", "e-"]));
                write_to(text, self.below(330));
            }
            19 => {
                // Any finite float at all.
                let bits = self.next();
                let value = f64::from_bits(bits & !(1 << 63));
                if value.is_finite() {
                    write_to(text, format_args!("{value:e}"));
                } else {
                    text.push('0');
                }
            }
            20 => text.push_str(self.pick(&["pi", "e", "tau"])),
            21 => text.push_str(self.pick(&["0.0", "1.0", "2.0", "0.5", "1e16", "1e15", "0.0001"])),
            22 => text.push_str(self.pick(&["0xff", "0b1011", "0o777", "1_000", "1_0.5_0", "00"])),
            _ => text.push_str(self.pick(&[
                "9007199254740993",
                "9007199254740992.0",
                "4503599627370497.5",
                "1e-320",
                "1.7976931348623157e308",
                "2.2250738585072014e-308",
            ])),
        }
    }
}

fn write_to(text: &mut String, value: impl std::fmt::Display) {
    write!(text, "{value}").expect("a string takes all");
}
