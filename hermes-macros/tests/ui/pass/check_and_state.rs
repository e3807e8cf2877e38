//! A check of each type, and a state of the crate.

use hermes_core::ToolItem;
use hermes_core::prelude::*;
use std::sync::Mutex;

hermes_core::plugin! {}

#[hermes_state]
#[derive(Default)]
struct Log(Mutex<Vec<String>>);

/// Named as a generic of the expansion might be.
#[hermes_state]
#[derive(Default)]
struct C(u8);

fn is_on() -> bool {
    false
}

mod inner {
    pub fn reason() -> Result<(), std::fmt::Error> {
        Ok(())
    }
}

/// Off.
#[hermes_tool(check = is_on, destructive = false, open_world, emoji = "🧮", max_result_chars = 20_000)]
fn off(log: &Log, c: &C) {
    assert_eq!(c.0, 0);
    log.0.lock().unwrap().push(String::new());
}

/// On.
#[hermes_tool(check = crate::inner::reason, description = concat!("a", "b"))]
async fn on(log: &Log) -> usize {
    log.0.lock().unwrap().len()
}

fn main() {
    assert!(OffTool::def().check().unwrap()().is_err());
    assert!(OnTool::def().check().unwrap()().is_ok());
    assert_eq!(OnTool::def().description(), "ab");
}
