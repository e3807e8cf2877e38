//! Exact arithmetic and unit conversion: tools `calculate` and `unit_convert`, a log of the last
//! tool calls, and `/calcstats` to look at it.
#![deny(missing_docs)]

#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod units;

mod log;
mod tools;

hermes_core::plugin! { skills = "skills" }
