//! The plugins that the enabled features link; written by `build.rs`.

include!(concat!(env!("OUT_DIR"), "/plugins.rs"));
