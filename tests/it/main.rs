//! The host as its users see it: the built binary, its output, its exit codes, and a scripted
//! model that it talks to. One binary for all topics, so that it links once.

// By `cfg(test)` clippy knows the functions beside the tests for tests as well.
#[cfg(test)]
mod cli;
#[cfg(test)]
mod linking;
// Who is still there is read from `/proc`.
#[cfg(test)]
#[cfg(target_os = "linux")]
mod local;
#[cfg(test)]
mod support;
#[cfg(test)]
mod turn;
