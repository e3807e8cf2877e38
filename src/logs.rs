//! Logs go to stderr, plain: warnings, or more with `-v`. And the panic hook: a plugin's panic is
//! reported as its call's result, so it prints nothing by itself.

use tracing::Level;

/// Starts logging. `verbosity` counts `-v`.
pub(crate) fn start(verbosity: u8) {
    let level = match verbosity {
        0 => Level::WARN,
        1 => Level::INFO,
        2 => Level::DEBUG,
        _ => Level::TRACE,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(std::io::stderr)
        .with_ansi(false)
        .without_time()
        .with_target(false)
        .finish();
    if tracing::subscriber::set_global_default(subscriber).is_err() {
        tracing::debug!("an embedding program logs already");
    }
}

/// Keeps contained panics off the terminal.
pub(crate) fn quiet_contained_panics() {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if hermes_runtime::in_contained_call() {
            tracing::debug!(%info, "contained panic");
        } else {
            default(info);
        }
    }));
}
