//! The attributes of `hermes-agent-core`. Use them through that crate, which documents them by use.
//!
//! Three stages, one folder each: parse (syntax → model, gathers every fault), check (rules over
//! the model), expand (model → tokens, cannot fail). Only this file touches `proc_macro`.

mod check;
mod errors;
mod expand;
mod model;
mod parse;

use proc_macro::TokenStream;

/// Makes a function a tool.
///
/// Owned parameters, `&str` and `&[T]` come from the model, each with its doc comment; any other
/// `&T` is injected. A sole model parameter called `args` is a struct of all arguments
/// (`#[hermes_schema]`).
///
/// Words: `name`, `description`, `toolset`, `check`, `read_only`, `destructive`, `idempotent`,
/// `open_world`, `inline`, `timeout`, `max_result_chars`, `emoji`, `output = none`, `example`,
/// `crate`.
///
/// `example(ask = "Rain in London?", args = { "city": "London", "days": 2 })` shows a use: what a
/// user says, and the arguments of the call that answers it. It may stand several times. `args` is
/// JSON in Rust literals (numbers as JSON spells them: no suffix, no `_`) or a text of JSON,
/// `r#"{"city": "London"}"#`. Keys and what is missing are checked here if the arguments stand in
/// the parameter list; the rest is checked by every test that makes a `TestHost` of
/// `hermes-agent-runtime`: it panics if the tool would have to repair or refuse an example.
///
/// On a parameter: `#[arg(default)]`, `#[arg(default = expr)]`, `#[arg]`, `#[inject]`.
#[proc_macro_attribute]
pub fn hermes_tool(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::tool(args.into(), &item.into()).into()
}

/// Makes a function a hook. The first parameter's type is the event, the return type the role:
/// nothing watches, `Verdict` judges. Further `&T` parameters are injected.
///
/// Words: the event's name, `priority`, `timeout`, `inline`, `crate`.
#[proc_macro_attribute]
pub fn hermes_hook(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::hook(args.into(), &item.into()).into()
}

/// Makes a function a slash command. `raw: &str` is what follows the name; `&T` is injected.
///
/// Words: `name`, `description`, `args_hint`, `crate`.
#[proc_macro_attribute]
pub fn hermes_command(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::command(args.into(), &item.into()).into()
}

/// Makes a type that has `Default` a state: one value per host, made on first use, injected as `&T`.
///
/// Words: `crate`.
#[proc_macro_attribute]
pub fn hermes_state(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::state(args.into(), &item.into()).into()
}

/// Makes a struct or enum a type of arguments and results: adds `Deserialize`, `Serialize` and
/// `JsonSchema`, and asks for a doc comment on every field and variant.
///
/// Unit variants are `snake_case` strings, enums with data `{"type": "circle", …}`; `#[serde(…)]`
/// words of your own win. On a field: `#[arg(default)]`, `#[arg(default = expr)]`.
/// Words: `allow_undocumented`, `crate`.
#[proc_macro_attribute]
pub fn hermes_schema(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::schema(args.into(), &item.into()).into()
}

/// Says once, at the root of a crate, that it is a plugin. Name (without `hermes-plugin-`),
/// version, description and authors come from `Cargo.toml`.
///
/// Words: `name = "…"`, `skills = "folder"`, `crate = path`.
#[proc_macro]
pub fn plugin(args: TokenStream) -> TokenStream {
    expand::plugin(args.into()).into()
}
