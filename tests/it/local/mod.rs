//! `--provider local`: who starts, shares and ends the engine, what is said if there is none, and how a
//! small model is asked. The engine is a stand-in, see `support/engine.rs`.

mod commands;
mod deaths;
mod doors;
mod places;
mod secrets;
mod share;
#[cfg(feature = "plugin-calculator")]
mod small;
