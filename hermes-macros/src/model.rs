//! What the parsers make and the expanders read: syntax with its spans, holes where it was wrong.

use proc_macro2::TokenStream;
use syn::{Attribute, Expr, Ident, LitBool, LitInt, LitStr, Path, Signature, Type, Visibility};

/// A function under an attribute, its body left as tokens so that a half-typed one still completes.
pub(crate) struct Function {
    /// Attributes other than ours.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    /// As it is emitted: parameters without docs, `#[arg]`, `#[inject]`.
    pub(crate) sig: Signature,
    pub(crate) body: TokenStream,
    pub(crate) params: Vec<Param>,
    pub(crate) docs: Docs,
}

/// Doc comments: plain text, or an expression where one of them is a macro call.
#[derive(Clone, Default)]
pub(crate) struct Docs {
    pub(crate) attrs: Vec<Attribute>,
}

/// One parameter.
pub(crate) struct Param {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) docs: Docs,
    pub(crate) default: Option<ArgDefault>,
    pub(crate) kind: ParamKind,
    /// `#[arg]` stands before it.
    pub(crate) marked_arg: bool,
}

pub(crate) enum ArgDefault {
    /// `#[arg(default)]`
    Type,
    /// `#[arg(default = expr)]`
    Expr(Expr),
}

/// Where a parameter's value comes from, as its type is written.
pub(crate) enum ParamKind {
    /// The model sends it.
    Owned,
    /// `&str`: the model sends a text.
    Str,
    /// `&[T]`: the model sends a list.
    Slice(Type),
    /// `&T`: the host makes it.
    Inject(Type),
}

impl ParamKind {
    pub(crate) const fn is_sent(&self) -> bool {
        !matches!(self, Self::Inject(_))
    }
}

/// The words of `#[hermes_tool(…)]`.
#[derive(Default)]
pub(crate) struct ToolWords {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) toolset: Option<LitStr>,
    pub(crate) emoji: Option<LitStr>,
    pub(crate) check: Option<Path>,
    pub(crate) read_only: Option<Flag>,
    pub(crate) destructive: Option<Flag>,
    pub(crate) idempotent: Option<Flag>,
    pub(crate) open_world: Option<Flag>,
    pub(crate) inline: Option<Ident>,
    pub(crate) timeout: Option<Millis>,
    pub(crate) max_result_chars: Option<LitInt>,
    pub(crate) output_none: bool,
    pub(crate) examples: Vec<Example>,
    pub(crate) krate: Option<Path>,
}

/// The words of `example(…)`; holes where one was wrong.
#[derive(Default)]
pub(crate) struct Example {
    pub(crate) ask: Option<LitStr>,
    /// The word `args`, for messages, and what stands behind it.
    pub(crate) args: Option<(Ident, Json)>,
}

/// A JSON object.
#[derive(Default)]
pub(crate) struct Json {
    /// Its text, without blanks between its parts.
    pub(crate) text: String,
    /// Its keys, each with its place.
    pub(crate) keys: Vec<LitStr>,
}

/// The words of `#[hermes_hook(…)]`.
#[derive(Default)]
pub(crate) struct HookWords {
    pub(crate) event: Option<Ident>,
    pub(crate) priority: Option<Expr>,
    pub(crate) timeout: Option<Millis>,
    pub(crate) inline: Option<Ident>,
    pub(crate) krate: Option<Path>,
}

/// The words of `#[hermes_command(…)]`.
#[derive(Default)]
pub(crate) struct CommandWords {
    pub(crate) name: Option<LitStr>,
    pub(crate) description: Option<Expr>,
    pub(crate) args_hint: Option<LitStr>,
    pub(crate) krate: Option<Path>,
}

/// The words of `#[hermes_schema(…)]`.
#[derive(Default)]
pub(crate) struct SchemaWords {
    pub(crate) allow_undocumented: bool,
    pub(crate) krate: Option<Path>,
}

/// The words of `plugin! {…}`.
#[derive(Default)]
pub(crate) struct PluginWords {
    pub(crate) name: Option<LitStr>,
    pub(crate) skills: Option<LitStr>,
    pub(crate) krate: Option<Path>,
}

/// `read_only` or `read_only = false`, with the word for messages.
pub(crate) struct Flag {
    pub(crate) word: Ident,
    pub(crate) value: Option<LitBool>,
}

impl Flag {
    pub(crate) fn is_on(&self) -> bool {
        self.value.as_ref().is_none_or(LitBool::value)
    }
}

/// A duration and the word it stands behind.
pub(crate) struct Millis {
    pub(crate) word: Ident,
    pub(crate) millis: u64,
}
