//! Server-sent events: bytes in any portions → events.
//!
//! Follows the WHATWG rules for `text/event-stream` and forgives what servers get wrong: no blank
//! after the colon, no blank line at the end, `error:` lines (old llama.cpp).

use std::borrow::Cow;

/// One event.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Event<'a> {
    /// True for `event: error` and `error:` lines.
    pub is_error: bool,
    /// The data lines, joined by line feeds. Bytes that aren't UTF-8 are replaced.
    pub data: Cow<'a, str>,
}

/// An event is larger than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EventTooLarge;

/// Incremental parser. Holds at most one event and one portion of input.
///
/// Works on bytes and decodes whole events only, so a character split over portions is no case.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "a parser's state, not options"
)]
pub(super) struct SseParser {
    limit: usize,
    input: Vec<u8>,
    /// Start of the current line in `input`.
    line: usize,
    /// Up to here `input` has no line end.
    scanned: usize,
    data: Vec<u8>,
    has_data: bool,
    is_error: bool,
    /// The last line ended in CR; an LF at once belongs to it.
    skip_line_feed: bool,
    /// `data` was handed out and is cleared on the next call.
    delivered: bool,
}

impl SseParser {
    /// A parser that refuses events above `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            input: Vec::new(),
            line: 0,
            scanned: 0,
            data: Vec::new(),
            has_data: false,
            is_error: false,
            skip_line_feed: false,
            delivered: false,
        }
    }

    /// Adds a portion of the stream.
    pub(super) fn feed(&mut self, portion: &[u8]) {
        self.input.drain(..self.line);
        self.scanned -= self.line;
        self.line = 0;
        self.input.extend_from_slice(portion);
    }

    /// The next complete event, or `None` until more is fed.
    ///
    /// # Errors
    /// The event grew above the limit; the parser is of no use afterwards.
    pub(super) fn next_event(&mut self) -> Result<Option<Event<'_>>, EventTooLarge> {
        self.clear_delivered();
        while self.take_line() {
            if self.delivered {
                return Ok(Some(self.event()));
            }
        }
        if self.data.len() + (self.input.len() - self.line) > self.limit {
            return Err(EventTooLarge);
        }
        Ok(None)
    }

    /// The event at the end of the stream that no blank line closed, if there is one.
    pub(super) fn finish(&mut self) -> Option<Event<'_>> {
        self.clear_delivered();
        if self.line < self.input.len() {
            let line = self.line..self.input.len();
            self.field(line);
            self.line = self.input.len();
            self.scanned = self.line;
        }
        self.has_data.then(|| {
            self.delivered = true;
            self.event()
        })
    }

    fn clear_delivered(&mut self) {
        if self.delivered {
            self.delivered = false;
            self.data.clear();
            self.has_data = false;
            self.is_error = false;
        }
    }

    fn event(&self) -> Event<'_> {
        Event {
            is_error: self.is_error,
            data: String::from_utf8_lossy(&self.data),
        }
    }

    /// Consumes one line if there is a complete one.
    fn take_line(&mut self) -> bool {
        if self.skip_line_feed && self.line < self.input.len() {
            self.skip_line_feed = false;
            if self.input[self.line] == b'\n' {
                self.line += 1;
                self.scanned = self.scanned.max(self.line);
            }
        }
        let Some(length) = self.input[self.scanned..]
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r'))
        else {
            self.scanned = self.input.len();
            return false;
        };
        let end = self.scanned + length;
        let line = self.line..end;
        self.skip_line_feed = self.input[end] == b'\r';
        self.line = end + 1;
        self.scanned = self.line;
        if line.is_empty() {
            self.delivered = self.has_data;
            if !self.has_data {
                self.is_error = false;
            }
        } else {
            self.field(line);
        }
        true
    }

    fn field(&mut self, line: std::ops::Range<usize>) {
        let line = &self.input[line];
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        let (name, value) = match line.iter().position(|byte| *byte == b':') {
            Some(colon) => (&line[..colon], &line[colon + 1..]),
            None => (line, &line[..0]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"data" | b"error" => {
                self.is_error |= name == b"error";
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => self.is_error |= value == b"error",
            // Comments (keep-alives), `id`, `retry` and unknown fields.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
