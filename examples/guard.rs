//! A guard in ten lines: it sees every tool call with its arguments before it runs, and can veto it.
//!
//! ```text
//! cargo run --example guard -- tools call pay amount=50
//! cargo run --example guard -- tools call pay amount=5000
//! cargo run --example guard -- tools call pay amount=5000 --yes
//! cargo run --example guard -- tools call pay amount=50000
//! ```

use hermes_core::prelude::*;
use std::process::ExitCode;

hermes_core::plugin! { name = "payments" }

/// Pay an amount.
#[hermes_tool]
fn pay(
    /// Whole euros
    amount: u32,
) -> String {
    format!("paid {amount} €")
}

/// Small sums pass, larger ones need the operator, absurd ones never run. If this panics or takes
/// too long, the call is blocked: a guard that gives no verdict has allowed nothing.
#[hermes_hook(inline)]
fn limit(event: &PreToolCall<'_>) -> Verdict {
    match event.args.get("amount").and_then(Value::as_u64) {
        Some(amount) if amount > 10_000 => Verdict::block("nothing above 10,000 €"),
        Some(amount) if amount > 100 => Verdict::ask(format!("pays {amount} €")),
        _ => Verdict::Allow,
    }
}

fn main() -> ExitCode {
    hermes::run()
}
