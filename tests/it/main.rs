//! The host, as its users see it.
