//! A model on this machine: weights and engine pulled once, a `llama-server` that runs while it is
//! needed, on the same road as any other provider.
//!
//! `catalog` says what can be pulled and with which checksum; `cpu` what runs on this machine;
//! `pull` brings it here; `store` tells what is there, with `gguf` for what weights say about
//! themselves; `server` runs it; `model` ties these together for whoever asks.
//! **Invariant:** only `pull::run` reaches the network.

pub(crate) mod catalog;
pub(crate) mod cpu;
mod folders;
pub(crate) mod gguf;
mod model;
pub(crate) mod program;
pub(crate) mod pull;
pub(crate) mod server;
pub(crate) mod store;

#[cfg(test)]
pub(crate) mod test_folder;

pub(crate) use folders::Folders;
pub(crate) use model::{LocalError, LocalModel, StartError};
