//! Which of the tools' examples are nearest to a question, and whether any is near at all.
//!
//! By words, pairs of words and groups of three letters, rare ones counting more. That is enough to tell
//! a question about powers from one about percentages, in any language, without a second model. Numbers
//! count as one word: an example is near by what it asks, not by its figures.

use std::collections::{BTreeMap, BTreeSet};

/// A call as a tool's author would have a model make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Example {
    /// What a user says.
    pub(crate) ask: String,
    pub(crate) tool: String,
    /// The arguments, JSON text of an object.
    pub(crate) arguments: String,
}

/// Talk that needs no tool: what is nearer to this than to any example is no call.
const TALK: &[&str] = &[
    "Hi",
    "What color is the sky?",
    "Bye, see you",
    "Who are you?",
];

/// Below this nothing is near. With the calculator's examples it tells all but one of 24 questions for
/// tools from 26 that need none (see the test).
const NEAR: f64 = 0.2;

/// Stands for any number.
const NUMBER: &str = "#";

/// Ready to be searched.
#[derive(Debug)]
pub(super) struct Examples {
    all: Vec<Example>,
    /// Of the examples, then of the talk.
    features: Vec<BTreeSet<Feature>>,
    counts: BTreeMap<Feature, u32>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Feature {
    Word(String),
    Pair(String, String),
    Letters([char; 3]),
}

impl Feature {
    /// A whole word says more than a part of it.
    fn share(&self) -> f64 {
        match self {
            Self::Word(_) => 1.0,
            Self::Pair(..) => 0.5,
            Self::Letters(_) => 0.4,
        }
    }
}

impl Examples {
    pub(super) fn new(all: Vec<Example>) -> Self {
        let asks = all.iter().map(|example| example.ask.as_str());
        let features: Vec<_> = asks.chain(TALK.iter().copied()).map(features).collect();
        let mut counts: BTreeMap<Feature, u32> = BTreeMap::new();
        for feature in features.iter().flatten() {
            *counts.entry(feature.clone()).or_default() += 1;
        }
        Self {
            all,
            features,
            counts,
        }
    }

    /// Whether the question is like one that a tool answers.
    pub(super) fn is_near(&self, question: &str) -> bool {
        self.ranked(question)
            .first()
            .is_some_and(|(nearness, at)| *at < self.all.len() && *nearness >= NEAR)
    }

    /// At most `count` examples of at most `tokens` tokens in all; the nearest is the last, beside the
    /// question.
    pub(super) fn nearest(&self, question: &str, count: usize, tokens: usize) -> Vec<&Example> {
        let mut left = tokens;
        let mut chosen = Vec::new();
        for (_, at) in self.ranked(question) {
            if chosen.len() == count {
                break;
            }
            let Some(example) = self.all.get(at) else {
                continue;
            };
            let Some(rest) = left.checked_sub(example.tokens()) else {
                continue;
            };
            left = rest;
            chosen.push(example);
        }
        chosen.reverse();
        chosen
    }

    /// All by nearness, the nearest first; among equals the author's order.
    fn ranked(&self, question: &str) -> Vec<(f64, usize)> {
        let asked = features(question);
        let mut ranked: Vec<(f64, usize)> = self
            .features
            .iter()
            .enumerate()
            .map(|(at, features)| (self.nearness(&asked, features), at))
            .collect();
        ranked.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        ranked
    }

    /// Cosine of the angle between the two, by weight. What no example has counts too: it makes a
    /// question less like any of them.
    fn nearness(&self, asked: &BTreeSet<Feature>, features: &BTreeSet<Feature>) -> f64 {
        let total = f64::from(u32::try_from(self.features.len()).unwrap_or(u32::MAX));
        let weight = |feature: &Feature| {
            let count = f64::from(self.counts.get(feature).copied().unwrap_or_default());
            let rarity = (total / (count + 0.5)).ln_1p();
            (rarity * feature.share()).powi(2)
        };
        let length = |set: &BTreeSet<Feature>| set.iter().map(weight).sum::<f64>().sqrt();
        let shared: f64 = asked.intersection(features).map(weight).sum();
        let lengths = length(asked) * length(features);
        if lengths == 0.0 {
            return 0.0;
        }
        // A call whose example takes a number from the question finds none in this one.
        let number = Feature::Word(NUMBER.to_owned());
        let lacks_number = features.contains(&number) && !asked.contains(&number);
        shared / lengths * if lacks_number { 0.5 } else { 1.0 }
    }
}

impl Example {
    /// About what it costs as two turns: a token is three letters or more, the marks around a turn are
    /// a few.
    fn tokens(&self) -> usize {
        (self.ask.len() + self.tool.len() + self.arguments.len()) / 3 + 24
    }
}

/// Words in order, numbers as `#`.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.chars().flat_map(char::to_lowercase).peekable();
    while let Some(c) = rest.next() {
        if c.is_numeric() {
            while rest
                .next_if(|c| c.is_numeric() || matches!(c, '.' | ','))
                .is_some()
            {}
            words.push(NUMBER.to_owned());
        } else if c.is_alphabetic() {
            let mut word = String::from(c);
            while let Some(c) = rest.next_if(|c| c.is_alphabetic()) {
                word.push(c);
            }
            words.push(word);
        } else if "%*/+^-=<>".contains(c) {
            words.push(c.to_string());
        }
    }
    words
}

fn features(text: &str) -> BTreeSet<Feature> {
    let words = words(text);
    let mut set = BTreeSet::new();
    for word in &words {
        if word.chars().count() > 3 {
            let marked: Vec<char> = format!("^{word}$").chars().collect();
            let threes = marked
                .windows(3)
                .map(|three| [three[0], three[1], three[2]]);
            set.extend(threes.map(Feature::Letters));
        }
    }
    for pair in words.windows(2) {
        set.insert(Feature::Pair(pair[0].clone(), pair[1].clone()));
    }
    set.extend(words.into_iter().map(Feature::Word));
    set
}

#[cfg(test)]
mod tests;
