use std::fmt;

/// Any error, boxed: `?` turns every [`std::error::Error`] into one.
///
/// Like `anyhow::Error` it is no `std::error::Error` itself, which is what lets it be made from
/// all of them.
pub struct Error(Box<dyn std::error::Error + Send + Sync>);

impl Error {
    /// An error of a text alone.
    pub fn new(message: impl Into<String>) -> Self {
        Self(message.into().into())
    }

    /// The error inside.
    pub fn inner(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl<E: std::error::Error + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl fmt::Display for Error {
    /// The message and its causes, joined by `: `.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_chain(&*self.0, f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

/// Writes an error and its causes; a cause whose text the outer one already ends with is left out.
fn write_chain(error: &dyn std::error::Error, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut shown = error.to_string();
    f.write_str(&shown)?;
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !shown.ends_with(&text) {
            write!(f, ": {text}")?;
        }
        shown = text;
        cause = error.source();
    }
    Ok(())
}

/// The text of any error with its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    struct Chain<'a>(&'a dyn std::error::Error);
    impl fmt::Display for Chain<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_chain(self.0, f)
        }
    }
    Chain(error).to_string()
}
