//! The providers we know, as data.

/// What differs between OpenAI-compatible providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent habits of a provider, a row of a table"
)]
pub struct Profile {
    /// Name in flags and configuration.
    pub name: &'static str,
    /// Endpoint up to and without `/chat/completions`; empty if the user must give it.
    pub base_url: &'static str,
    /// Variable that holds the key; `None` for servers that want none.
    pub key_variable: Option<&'static str>,
    /// Schema dialect for tools, a name of the schema dialect table.
    pub dialect: &'static str,
    /// Name of the output limit: newer OpenAI models refuse `max_tokens`, others don't know
    /// `max_completion_tokens`.
    pub max_tokens_field: &'static str,
    /// Whether `stream_options` is known there. Mistral refuses unknown fields and sends usage anyway.
    pub stream_options: bool,
    /// `reasoning_content` must go back on assistant turns with tool calls. Others refuse it.
    pub replay_reasoning: bool,
    /// The server is ours to start: it has an address only while it runs.
    pub managed: bool,
    /// Call ids must be nine letters or digits, and no user message may follow a tool result.
    pub mistral_rules: bool,
}

const BASE: Profile = Profile {
    name: "custom",
    base_url: "",
    key_variable: None,
    dialect: "openai",
    max_tokens_field: "max_tokens",
    stream_options: true,
    replay_reasoning: false,
    managed: false,
    mistral_rules: false,
};

/// The profile of a server we know nothing about but its address.
pub(super) const CUSTOM: &Profile = &BASE;

/// A model on this machine, in a server that is started when it is asked.
pub(crate) const LOCAL: &Profile = &Profile {
    name: "local",
    dialect: "llamacpp",
    managed: true,
    ..BASE
};

/// All profiles; the order is that of help texts.
pub(super) const PROFILES: &[Profile] = &[
    Profile {
        name: "openai",
        base_url: "https://api.openai.com/v1",
        key_variable: Some("OPENAI_API_KEY"),
        max_tokens_field: "max_completion_tokens",
        ..BASE
    },
    Profile {
        name: "openrouter",
        base_url: "https://openrouter.ai/api/v1",
        key_variable: Some("OPENROUTER_API_KEY"),
        ..BASE
    },
    Profile {
        name: "deepseek",
        base_url: "https://api.deepseek.com/v1",
        key_variable: Some("DEEPSEEK_API_KEY"),
        dialect: "deepseek",
        replay_reasoning: true,
        ..BASE
    },
    Profile {
        name: "mistral",
        base_url: "https://api.mistral.ai/v1",
        key_variable: Some("MISTRAL_API_KEY"),
        dialect: "mistral",
        stream_options: false,
        mistral_rules: true,
        ..BASE
    },
    Profile {
        name: "groq",
        base_url: "https://api.groq.com/openai/v1",
        key_variable: Some("GROQ_API_KEY"),
        ..BASE
    },
    Profile {
        name: "xai",
        base_url: "https://api.x.ai/v1",
        key_variable: Some("XAI_API_KEY"),
        dialect: "xai",
        ..BASE
    },
    Profile {
        name: "together",
        base_url: "https://api.together.xyz/v1",
        key_variable: Some("TOGETHER_API_KEY"),
        ..BASE
    },
    Profile {
        name: "moonshot",
        base_url: "https://api.moonshot.ai/v1",
        key_variable: Some("MOONSHOT_API_KEY"),
        dialect: "moonshot",
        replay_reasoning: true,
        ..BASE
    },
    Profile {
        name: "ollama",
        base_url: "http://127.0.0.1:11434/v1",
        dialect: "ollama",
        ..BASE
    },
    Profile {
        name: "lmstudio",
        base_url: "http://127.0.0.1:1234/v1",
        dialect: "llamacpp",
        ..BASE
    },
    Profile {
        name: "llamacpp",
        base_url: "http://127.0.0.1:8080/v1",
        dialect: "llamacpp",
        ..BASE
    },
    Profile {
        name: "vllm",
        base_url: "http://127.0.0.1:8000/v1",
        ..BASE
    },
    *LOCAL,
    BASE,
];

/// Finds a profile by name; letter case doesn't count.
pub(super) fn find(name: &str) -> Option<&'static Profile> {
    PROFILES
        .iter()
        .find(|profile| profile.name.eq_ignore_ascii_case(name.trim()))
}
