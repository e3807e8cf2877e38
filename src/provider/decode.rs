//! The body of a 200 → reply: a stream, or plain JSON from servers that ignore `stream: true`.

use super::assemble::{Assembler, DeltaSink, ReplyTooLarge};
use super::classify;
use super::error::BodyKind;
use super::message::{Reply, ToolSpec};
use super::stream::{EventTooLarge, SseParser};
use super::wire::{self, Packet};

/// How much of an answer is held in memory, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct SizeLimits {
    /// One event of a stream.
    pub event: usize,
    /// Text, thinking and arguments together; also a body that isn't a stream.
    pub reply: usize,
}

impl Default for SizeLimits {
    fn default() -> Self {
        Self {
            event: 16 * 1024 * 1024,
            reply: 64 * 1024 * 1024,
        }
    }
}

/// What is wrong with the body of a 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    /// An error object in place of, or amid, the answer: its JSON text.
    Refused(String),
    /// Something else than a completion, and how it began.
    NotAReply(BodyKind, String),
    /// It ended in the middle.
    Cut {
        /// Characters of text until then.
        received: usize,
        /// How.
        detail: String,
    },
    /// Too much of it: what, and the bytes allowed.
    TooLarge(&'static str, usize),
}

/// Reads the body of a 200, in portions of any size. Streams are told from plain JSON by their
/// first byte, since servers ignore `stream: true` and send wrong content types.
pub(super) struct Decoder<'r> {
    limits: SizeLimits,
    mode: Mode,
    reply: Assembler<'r>,
    /// How the body began, for the case that it is none of ours.
    head: Vec<u8>,
    events: u64,
    done: bool,
}

enum Mode {
    Unknown,
    Stream(SseParser),
    Whole(Vec<u8>),
}

impl<'r> Decoder<'r> {
    /// For the answer to a request that offered `tools`.
    pub(super) fn new(tools: &'r [ToolSpec], limits: SizeLimits) -> Self {
        let reply = Assembler::new(tools, limits.reply);
        Self {
            limits,
            mode: Mode::Unknown,
            reply,
            head: Vec::new(),
            events: 0,
            done: false,
        }
    }

    /// True after `[DONE]`: the rest of the body doesn't matter.
    pub(super) fn is_done(&self) -> bool {
        self.done
    }

    /// Characters of text so far, for [`Fault::Cut`] by a broken connection.
    pub(super) fn received(&self) -> usize {
        self.reply.received()
    }

    /// Whether a finish reason came; then a broken connection loses nothing but token counts.
    pub(super) fn is_complete(&self) -> bool {
        self.done || self.reply.is_finished()
    }

    /// Takes the next portion.
    ///
    /// # Errors
    /// An error object in the stream, an event that isn't JSON, a size limit.
    pub(super) fn push(&mut self, portion: &[u8], sink: &mut DeltaSink<'_>) -> Result<(), Fault> {
        let mut portion = portion;
        if matches!(self.mode, Mode::Unknown) {
            portion = trim_start(portion);
            let Some(first) = portion.first() else {
                return Ok(());
            };
            self.mode = match first {
                b'd' | b'e' | b'i' | b'r' | b':' => Mode::Stream(SseParser::new(self.limits.event)),
                _ => Mode::Whole(Vec::new()),
            };
        }
        let room = 400_usize.saturating_sub(self.head.len()).min(portion.len());
        self.head.extend_from_slice(&portion[..room]);
        match &mut self.mode {
            Mode::Whole(body) => {
                if body.len() + portion.len() > self.limits.reply {
                    return Err(Fault::TooLarge("the answer", self.limits.reply));
                }
                body.extend_from_slice(portion);
                // A web page needn't be read to its end.
                if body
                    .first()
                    .is_some_and(|byte| !matches!(byte, b'{' | b'['))
                    && body.len() > 4096
                {
                    return Err(not_a_reply(body));
                }
            }
            Mode::Stream(parser) => parser.feed(portion),
            Mode::Unknown => {}
        }
        self.events(false, sink)
    }

    /// Ends the body.
    ///
    /// # Errors
    /// As [`Decoder::push`]; also if the answer isn't complete or isn't one.
    pub(super) fn finish(mut self, sink: &mut DeltaSink<'_>) -> Result<Reply, Fault> {
        match std::mem::replace(&mut self.mode, Mode::Unknown) {
            Mode::Unknown => return Err(not_a_reply(b"")),
            Mode::Whole(body) => return self.finish_whole(&body, sink),
            stream @ Mode::Stream(_) => self.mode = stream,
        }
        self.events(true, sink)?;
        if self.events == 0 {
            return Err(not_a_reply(&self.head));
        }
        if !self.is_complete() {
            return Err(self.cut("the connection was closed before the end"));
        }
        self.reply.finish(sink).ok_or_else(|| Fault::Cut {
            received: 0,
            detail: "an empty stream".to_owned(),
        })
    }

    fn finish_whole(mut self, body: &[u8], sink: &mut DeltaSink<'_>) -> Result<Reply, Fault> {
        let text = String::from_utf8_lossy(body);
        if !text.starts_with('{') {
            return Err(not_a_reply(body));
        }
        if let Err(error) = self.packet(&text, false, sink) {
            return Err(match error {
                PacketFault::Json(error) if error.is_eof() => {
                    self.cut("the body ends in the middle")
                }
                PacketFault::Json(_) => not_a_reply(body),
                PacketFault::Fault(fault) => fault,
            });
        }
        self.reply.finish(sink).ok_or_else(|| not_a_reply(body))
    }

    /// Handles the events that are complete.
    fn events(&mut self, at_end: bool, sink: &mut DeltaSink<'_>) -> Result<(), Fault> {
        while !self.done {
            let Mode::Stream(parser) = &mut self.mode else {
                return Ok(());
            };
            let too_large =
                |EventTooLarge| Fault::TooLarge("an event of the stream", self.limits.event);
            let event = match parser.next_event().map_err(too_large)? {
                None if at_end => parser.finish(),
                event => event,
            };
            let Some(event) = event else { return Ok(()) };
            let (data, is_error) = (event.data.into_owned(), event.is_error);
            self.event(&data, is_error, sink)?;
        }
        Ok(())
    }

    fn event(&mut self, data: &str, is_error: bool, sink: &mut DeltaSink<'_>) -> Result<(), Fault> {
        self.events += 1;
        let data = data.trim();
        if data.is_empty() {
            return Ok(());
        }
        if data == "[DONE]" {
            self.done = true;
            return Ok(());
        }
        match self.packet(data, is_error, sink) {
            Ok(()) => Ok(()),
            Err(PacketFault::Fault(fault)) => Err(fault),
            // Some servers forget the blank lines between events.
            Err(PacketFault::Json(_)) if data.contains('\n') => data.lines().try_for_each(|line| {
                if self.done {
                    Ok(())
                } else {
                    self.event(line, is_error, sink)
                }
            }),
            Err(PacketFault::Json(_)) if is_error => Err(Fault::Refused(data.to_owned())),
            Err(PacketFault::Json(_)) => Err(self.cut(&format!("not JSON: {}", excerpt(data)))),
        }
    }

    fn packet(
        &mut self,
        text: &str,
        is_error: bool,
        sink: &mut DeltaSink<'_>,
    ) -> Result<(), PacketFault> {
        let packet: Packet<'_> = serde_json::from_str(text).map_err(PacketFault::Json)?;
        let object_is_error = wire::text(packet.object).is_some_and(|object| object == "error");
        if is_error || object_is_error || packet.error.is_some() {
            return Err(PacketFault::Fault(Fault::Refused(text.to_owned())));
        }
        if let Some(usage) = packet.usage.and_then(wire::usage) {
            self.reply.usage = Some(usage);
        }
        if let Some(model) = wire::word(packet.model).filter(|_| self.reply.model.is_none()) {
            self.reply.model = Some(model.into_owned());
        }
        if let Some(choice) = packet.choices.iter().flatten().next() {
            let limit = self.limits.reply;
            let too_large =
                |ReplyTooLarge| PacketFault::Fault(Fault::TooLarge("the answer", limit));
            self.reply
                .choice(choice, self.events, sink)
                .map_err(too_large)?;
        }
        if self.reply.finish_word() == Some("error") {
            return Err(PacketFault::Fault(self.cut("finish_reason `error`")));
        }
        Ok(())
    }

    fn cut(&self, detail: &str) -> Fault {
        Fault::Cut {
            received: self.received(),
            detail: detail.to_owned(),
        }
    }
}

enum PacketFault {
    Json(serde_json::Error),
    Fault(Fault),
}

fn not_a_reply(body: &[u8]) -> Fault {
    let text = String::from_utf8_lossy(&body[..body.len().min(1024)]);
    let kind = match text.trim_start().as_bytes().first() {
        None => BodyKind::Empty,
        Some(b'<') => BodyKind::Html,
        Some(b'{' | b'[') => BodyKind::Json,
        Some(_) => BodyKind::Text,
    };
    Fault::NotAReply(kind, excerpt(&text))
}

fn trim_start(bytes: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || [0xEF, 0xBB, 0xBF].contains(byte);
    let start = bytes
        .iter()
        .position(|byte| !is_blank(byte))
        .unwrap_or(bytes.len());
    &bytes[start..]
}

/// The first 80 characters, on one line.
pub(super) fn excerpt(text: &str) -> String {
    classify::one_line(text, 80)
}

#[cfg(test)]
mod tests;
