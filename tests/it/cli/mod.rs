//! The command line: what each command prints where, and how it ends.

mod home;
mod listings;
mod terminal;
#[cfg(feature = "plugin-calculator")]
mod tools;
