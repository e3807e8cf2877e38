//! Fragments → one [`Reply`].
//!
//! Servers disagree about how a streamed tool call is cut up. Rules, each seen in the wild:
//! fragments belong together by `index`, which may be missing, constant or start above 0; ids and
//! names come once or in every fragment; arguments come whole, in pieces or as an object.
//! A new call begins when the index is new, when a non-empty id differs from the one at that
//! index, or when the arguments are complete and a new `{` arrives.

use std::collections::HashSet;

use super::call_slot::{Arguments, Slot, is_known};
use super::message::{Delta, FinishReason, Reply, ToolCall, ToolSpec, Usage};
use super::wire::{self, CallPiece, Choice, Piece};

/// Where pieces of an answer go to be seen.
pub type DeltaSink<'s> = dyn FnMut(Delta<'_>) + Send + 's;

/// More calls than this in one reply are refused; finding a fragment's call takes time linear in them.
const MAX_CALLS: usize = 1024;

/// The reply is larger than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ReplyTooLarge;

/// A reply under construction.
pub(super) struct Assembler<'r> {
    /// Names tell a fragment of a name from a new name.
    tools: &'r [ToolSpec],
    limit: usize,
    held: usize,
    content: String,
    reasoning: String,
    slots: Vec<Slot>,
    finish: Option<String>,
    /// Token counts, from whichever event brings them.
    pub(super) usage: Option<Usage>,
    /// The model's name.
    pub(super) model: Option<String>,
    /// Whether any choice came at all.
    pub(super) has_choice: bool,
}

impl<'r> Assembler<'r> {
    /// Starts a reply to a request with `tools`, of at most `limit` bytes.
    pub(super) fn new(tools: &'r [ToolSpec], limit: usize) -> Self {
        Self {
            tools,
            limit,
            held: 0,
            content: String::new(),
            reasoning: String::new(),
            slots: Vec::new(),
            finish: None,
            usage: None,
            model: None,
            has_choice: false,
        }
    }

    /// Characters of text so far.
    pub(super) fn received(&self) -> usize {
        self.content.chars().count()
    }

    /// Whether a finish reason came.
    pub(super) fn is_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// The finish reason as sent.
    pub(super) fn finish_word(&self) -> Option<&str> {
        self.finish.as_deref()
    }

    pub(super) fn choice(
        &mut self,
        choice: &Choice<'_>,
        event: u64,
        sink: &mut DeltaSink<'_>,
    ) -> Result<(), ReplyTooLarge> {
        self.has_choice = true;
        // Some servers close a stream with the whole message; it repeats what is there already.
        let is_new = self.content.is_empty() && self.slots.is_empty();
        if let Some(piece) = choice
            .delta
            .as_ref()
            .or(choice.message.as_ref().filter(|_| is_new))
        {
            self.piece(piece, event, sink)?;
        }
        if let Some(finish) = wire::word(choice.finish_reason) {
            self.finish = Some(finish.into_owned());
        }
        Ok(())
    }

    fn piece(
        &mut self,
        piece: &Piece<'_>,
        event: u64,
        sink: &mut DeltaSink<'_>,
    ) -> Result<(), ReplyTooLarge> {
        if let Some(thought) = wire::text(piece.reasoning_content.or(piece.reasoning)) {
            self.add_reasoning(&thought, sink)?;
        }
        if let Some((content, thought)) = piece
            .content
            .filter(|raw| raw.get().starts_with('['))
            .and_then(wire::parts)
        {
            self.add_reasoning(&thought, sink)?;
            self.add_content(&content, sink)?;
        } else if let Some(content) = wire::text(piece.content) {
            self.add_content(&content, sink)?;
        }
        // A refusal is what the user has to read.
        if let Some(refusal) = wire::text(piece.refusal) {
            self.add_content(&refusal, sink)?;
        }
        for call in piece.tool_calls.iter().flatten() {
            self.call(call, event, sink)?;
        }
        if piece.function_call.is_some() {
            // The predecessor of `tool_calls`: one call, no id.
            self.call(
                &CallPiece {
                    index: None,
                    id: None,
                    function: piece.function_call,
                },
                event,
                sink,
            )?;
        }
        Ok(())
    }

    fn add_content(&mut self, text: &str, sink: &mut DeltaSink<'_>) -> Result<(), ReplyTooLarge> {
        if !text.is_empty() {
            self.hold(text.len())?;
            self.content.push_str(text);
            sink(Delta::Text(text));
        }
        Ok(())
    }

    fn add_reasoning(&mut self, text: &str, sink: &mut DeltaSink<'_>) -> Result<(), ReplyTooLarge> {
        if !text.is_empty() {
            self.hold(text.len())?;
            self.reasoning.push_str(text);
            sink(Delta::Reasoning(text));
        }
        Ok(())
    }

    fn hold(&mut self, bytes: usize) -> Result<(), ReplyTooLarge> {
        self.held = self.held.saturating_add(bytes);
        if self.held > self.limit {
            Err(ReplyTooLarge)
        } else {
            Ok(())
        }
    }

    fn call(
        &mut self,
        call: &CallPiece<'_>,
        event: u64,
        sink: &mut DeltaSink<'_>,
    ) -> Result<(), ReplyTooLarge> {
        let index = wire::integer(call.index);
        let id = wire::word(call.id);
        let function = call.function.as_ref();
        let name = function.and_then(|function| wire::word(function.name));
        let arguments = function.and_then(|function| Arguments::read(function.arguments));
        let fresh = Fresh {
            index,
            id: id.as_deref(),
            name: name.as_deref(),
            arguments: arguments.as_ref(),
            event,
        };

        let position = match self.place(&fresh) {
            Place::Repetition => return Ok(()),
            Place::Slot(position) => position,
            Place::New => {
                if self.slots.len() == MAX_CALLS {
                    return Err(ReplyTooLarge);
                }
                self.slots.push(Slot {
                    index,
                    ..Slot::default()
                });
                self.slots.len() - 1
            }
        };
        self.hold(
            name.as_ref().map_or(0, |name| name.len())
                + arguments.as_ref().map_or(0, |a| a.as_str().len()),
        )?;
        let tools = self.tools;
        let slot = &mut self.slots[position];
        slot.event = event;
        if let Some(id) = id.filter(|_| slot.id.is_empty()) {
            slot.id = id.into_owned();
        }
        if let Some(name) = &name {
            slot.add_name(name, tools);
        }
        if let Some(arguments) = &arguments {
            slot.add_arguments(arguments);
            if !slot.announced && !slot.name.is_empty() {
                slot.announced = true;
                sink(Delta::ToolCall(&slot.name));
            }
        }
        Ok(())
    }

    /// Finds the call that a fragment belongs to.
    fn place(&self, fresh: &Fresh<'_>) -> Place {
        let same_id = |slot: &Slot| fresh.id.is_some_and(|id| slot.id == id);
        let position = match fresh.index {
            // The latest call at this index: with a constant index, earlier ones are done.
            Some(index) => self
                .slots
                .iter()
                .rposition(|slot| slot.index == Some(index)),
            None => self
                .slots
                .iter()
                .rposition(same_id)
                .or(self.slots.len().checked_sub(1)),
        };
        let Some(position) = position else {
            return Place::New;
        };
        let slot = &self.slots[position];
        if fresh.id.is_some() && !slot.id.is_empty() && !same_id(slot) {
            // Fragments of two calls may alternate at one index.
            let earlier = self
                .slots
                .iter()
                .rposition(|slot| slot.index == fresh.index && same_id(slot));
            return earlier.map_or(Place::New, Place::Slot);
        }
        if slot.event == fresh.event && (fresh.index.is_none() || fresh.name.is_some()) {
            // Two entries of one event are two calls, even without index and id.
            return Place::New;
        }
        if let Some(arguments) = fresh
            .arguments
            .filter(|_| slot.progress.is_complete() && !slot.placeholder)
        {
            let repeated = arguments.as_str() == slot.arguments;
            if repeated && same_id(slot) {
                return Place::Repetition;
            }
            if arguments.as_str().trim_start().starts_with('{') {
                return Place::New;
            }
        }
        match fresh.name {
            Some(name) if fresh.id.is_none() && self.is_another_tool(slot, name, fresh.index) => {
                Place::New
            }
            _ => Place::Slot(position),
        }
    }

    /// Whether `name` begins another call, rather than repeat or continue the slot's name.
    fn is_another_tool(&self, slot: &Slot, name: &str, index: Option<i64>) -> bool {
        let known = |name: &str| is_known(self.tools, name);
        if slot.name.is_empty() || name.starts_with(&slot.name) {
            return false;
        }
        if slot.arguments.is_empty() {
            // `get_` + `weather` is one name; two known names are two calls without arguments.
            return known(&slot.name) && !known(&format!("{}{name}", slot.name));
        }
        // With an index, a changed name alone isn't enough: some servers garble repeated names.
        index.is_none() || (known(name) && slot.progress.is_complete())
    }

    /// The reply. `None` if nothing came that deserves the name.
    pub(super) fn finish(self, sink: &mut DeltaSink<'_>) -> Option<Reply> {
        if !self.has_choice {
            return None;
        }
        for slot in self
            .slots
            .iter()
            .filter(|slot| !slot.announced && !slot.name.is_empty())
        {
            sink(Delta::ToolCall(&slot.name));
        }
        let mut tool_calls: Vec<ToolCall> = self
            .slots
            .into_iter()
            .filter(|slot| !(slot.name.is_empty() && slot.arguments.is_empty()))
            .map(Slot::into_call)
            .collect();
        name_calls(&mut tool_calls);
        let finish = match self.finish.as_deref() {
            Some("length" | "max_tokens") => FinishReason::Length,
            Some("content_filter") => FinishReason::ContentFilter,
            // Calls come with `stop` too; content counts more than the flag.
            None | Some("stop" | "tool_calls" | "function_call" | "end_turn" | "eos") => {
                if tool_calls.is_empty() {
                    FinishReason::Stop
                } else {
                    FinishReason::ToolCalls
                }
            }
            Some(other) => FinishReason::Other(other.to_owned()),
        };
        if let Some(last) = tool_calls
            .last_mut()
            .filter(|_| finish == FinishReason::Length)
        {
            // The limit struck between the name and the arguments.
            last.truncated |= last.arguments.as_str().trim().is_empty();
        }
        Some(Reply {
            content: self.content,
            reasoning: Some(self.reasoning).filter(|reasoning| !reasoning.is_empty()),
            tool_calls,
            finish,
            usage: self.usage,
            model: self.model,
        })
    }
}

/// What a fragment brings.
struct Fresh<'a> {
    index: Option<i64>,
    id: Option<&'a str>,
    name: Option<&'a str>,
    arguments: Option<&'a Arguments<'a>>,
    event: u64,
}

enum Place {
    New,
    Slot(usize),
    /// Says again what is there already.
    Repetition,
}

/// Gives every call an id of its own: made up where missing, renamed where repeated.
pub(super) fn name_calls(calls: &mut [ToolCall]) {
    let mut seen: HashSet<String> = calls
        .iter()
        .map(|call| call.id.clone())
        .filter(|id| !id.is_empty())
        .collect();
    let mut used: HashSet<String> = HashSet::new();
    for (position, call) in calls.iter_mut().enumerate() {
        if !call.id.is_empty() && used.insert(call.id.clone()) {
            continue;
        }
        let base = if call.id.is_empty() {
            "call".to_owned()
        } else {
            call.id.clone()
        };
        let mut number = position + 1;
        let mut id = format!("{base}_{number}");
        while !seen.insert(id.clone()) {
            number += 1;
            id = format!("{base}_{number}");
        }
        used.insert(id.clone());
        call.id = id;
    }
}

#[cfg(test)]
mod tests;
