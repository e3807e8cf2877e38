//! The host as its users see it: the built binary, its output, its exit codes, and a scripted
//! model that it talks to. One binary for all topics, so that it links once.

mod cli;
mod linking;
mod support;
mod turn;
