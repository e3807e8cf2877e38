use super::*;

/// `flag=value`, `ENV=value` and `config.key=value` words → what comes out, in one line.
fn route(words: &str) -> String {
    let mut flags = RouteFlags::default();
    let mut config = ModelConfig::default();
    let mut variables = Vec::new();
    for word in words.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap();
        let text = Some(value.to_owned());
        match name {
            "provider" => flags.provider = text,
            "model" => flags.model = text,
            "base_url" => flags.base_url = text,
            "config.default" => config.default = text,
            "config.provider" => config.provider = text,
            "config.base_url" => config.base_url = text,
            "config.api_key_env" => config.api_key_env = text,
            _ => variables.push((name, value)),
        }
    }
    let env = |name: &str| {
        variables
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| (*value).to_owned())
    };
    match ProviderRoute::resolve(&flags, &env, &config) {
        Ok(route) => {
            let key = route.api_key.as_ref().map_or("-", ApiKey::expose);
            format!(
                "{} {} {} key={key}",
                route.profile.name, route.base_url, route.model
            )
        }
        Err(error) => format!("error: {error}"),
    }
}

#[test]
fn the_highest_layer_decides_who_answers() {
    for (words, expected) in [
        (
            "provider=openai model=m OPENAI_API_KEY=o",
            "openai https://api.openai.com/v1 m key=o",
        ),
        (
            "provider=OpenAI model=m OPENAI_API_KEY=o",
            "openai https://api.openai.com/v1 m key=o",
        ),
        (
            "HERMES_PROVIDER=groq HERMES_MODEL=m GROQ_API_KEY=g",
            "groq https://api.groq.com/openai/v1 m key=g",
        ),
        (
            "config.provider=ollama config.default=m",
            "ollama http://127.0.0.1:11434/v1 m key=-",
        ),
        (
            "provider=ollama model=a HERMES_PROVIDER=groq HERMES_MODEL=b config.provider=xai config.default=c",
            "ollama http://127.0.0.1:11434/v1 a key=-",
        ),
        (
            "HERMES_BASE_URL=http://localhost:9/v1 HERMES_MODEL=m",
            "custom http://localhost:9/v1 m key=-",
        ),
        (
            "HERMES_BASE_URL=http://localhost:9/v1 config.provider=openai config.default=m",
            "custom http://localhost:9/v1 m key=-",
        ),
        (
            "base_url=http://localhost:1/v1 HERMES_PROVIDER=groq model=m",
            "custom http://localhost:1/v1 m key=-",
        ),
        (
            "provider=ollama HERMES_BASE_URL=http://elsewhere:9/v1 model=m",
            "ollama http://127.0.0.1:11434/v1 m key=-",
        ),
        (
            "provider=ollama base_url=http://box:11434/v1 model=m",
            "ollama http://box:11434/v1 m key=-",
        ),
        (
            "HERMES_PROVIDER= HERMES_BASE_URL= provider=ollama model=m",
            "ollama http://127.0.0.1:11434/v1 m key=-",
        ),
    ] {
        assert_eq!(route(words), expected, "{words}");
    }
}

#[test]
fn a_key_goes_only_to_the_host_it_belongs_to() {
    for (words, expected) in [
        // The local server must not get OpenAI's key.
        (
            "HERMES_BASE_URL=http://localhost:9/v1 model=m OPENAI_API_KEY=o",
            "custom http://localhost:9/v1 m key=-",
        ),
        (
            "HERMES_BASE_URL=http://localhost:9/v1 model=m OPENAI_API_KEY=o HERMES_API_KEY=h",
            "custom http://localhost:9/v1 m key=h",
        ),
        (
            "provider=openai base_url=https://proxy.example/v1 model=m OPENAI_API_KEY=o",
            "openai https://proxy.example/v1 m key=-",
        ),
        (
            "provider=openai base_url=https://proxy.example/v1 model=m OPENAI_API_KEY=o HERMES_API_KEY=h",
            "openai https://proxy.example/v1 m key=h",
        ),
        // Same host without TLS, or on another port, is another origin.
        (
            "provider=openai base_url=http://api.openai.com/v1 model=m OPENAI_API_KEY=o",
            "openai http://api.openai.com/v1 m key=-",
        ),
        (
            "provider=openai base_url=https://api.openai.com:444/v1 model=m OPENAI_API_KEY=o",
            "openai https://api.openai.com:444/v1 m key=-",
        ),
        (
            "provider=openai base_url=https://api.openai.com.evil.example/v1 model=m OPENAI_API_KEY=o",
            "openai https://api.openai.com.evil.example/v1 m key=-",
        ),
        // Its own origin at another path, or written out, is still its own.
        (
            "provider=openai base_url=https://api.openai.com/v2 model=m OPENAI_API_KEY=o",
            "openai https://api.openai.com/v2 m key=o",
        ),
        (
            "HERMES_BASE_URL=https://api.openai.com:443/v1 model=m OPENAI_API_KEY=o",
            "openai https://api.openai.com:443/v1 m key=o",
        ),
        // The general key doesn't go to an address that follows from a name.
        (
            "provider=openai model=m HERMES_API_KEY=h",
            "error: openai needs a key; set `OPENAI_API_KEY`",
        ),
        (
            "provider=ollama model=m HERMES_API_KEY=h OPENAI_API_KEY=o",
            "ollama http://127.0.0.1:11434/v1 m key=-",
        ),
        // The file's variable belongs to the file's address.
        (
            "config.base_url=https://box.example/v1 config.api_key_env=BOX config.default=m BOX=b",
            "custom https://box.example/v1 m key=b",
        ),
        (
            "config.base_url=https://box.example/v1 config.api_key_env=BOX config.default=m BOX=b HERMES_BASE_URL=http://localhost:9/v1",
            "custom http://localhost:9/v1 m key=-",
        ),
        (
            "config.base_url=https://box.example/v1 config.api_key_env=BOX config.default=m BOX=b provider=openai OPENAI_API_KEY=o",
            "openai https://api.openai.com/v1 m key=o",
        ),
        (
            "config.provider=openai config.api_key_env=WORK config.default=m WORK=w OPENAI_API_KEY=o",
            "openai https://api.openai.com/v1 m key=w",
        ),
        (
            "config.provider=openai config.api_key_env=WORK model=m WORK=w HERMES_PROVIDER=openai",
            "openai https://api.openai.com/v1 m key=w",
        ),
        (
            "config.base_url=https://box.example/v1 config.api_key_env=BOX config.default=m",
            "error: custom needs a key; set `BOX`",
        ),
        (
            "provider=openai model=m OPENAI_API_KEY=",
            "error: openai needs a key; set `OPENAI_API_KEY`",
        ),
    ] {
        assert_eq!(route(words), expected, "{words}");
    }
}

#[test]
fn with_nobody_named_the_only_key_decides() {
    for (words, expected) in [
        (
            "model=m OPENROUTER_API_KEY=r",
            "openrouter https://openrouter.ai/api/v1 m key=r",
        ),
        (
            "model=openai/gpt OPENROUTER_API_KEY=r",
            "openrouter https://openrouter.ai/api/v1 openai/gpt key=r",
        ),
        (
            "model=openai/gpt OPENROUTER_API_KEY=r OPENAI_API_KEY=o",
            "openai https://api.openai.com/v1 gpt key=o",
        ),
        (
            "model=m GROQ_API_KEY=g OPENAI_API_KEY=o",
            "error: keys of several providers are set (openai, groq); choose one with `--provider` or `model.provider`",
        ),
        (
            "model=m",
            "error: no provider chosen; set a provider's key such as `OPENAI_API_KEY`, or `HERMES_BASE_URL` for a server of your own",
        ),
    ] {
        assert_eq!(route(words), expected, "{words}");
    }
}

#[test]
fn what_is_wrong_is_said_with_what_to_do() {
    for (words, expected) in [
        (
            "provider=opnai model=m",
            "error: no provider `opnai`; did you mean `openai`?",
        ),
        (
            "provider=deepsek model=m",
            "error: no provider `deepsek`; did you mean `deepseek`?",
        ),
        (
            "provider=zzz model=m",
            "error: no provider `zzz`; known are openai, openrouter, deepseek, mistral, groq, xai, together, moonshot, ollama, lmstudio, llamacpp, vllm, local, custom",
        ),
        (
            "provider=custom model=m",
            "error: provider `custom` needs an address; set `HERMES_BASE_URL`, `--base-url` or `model.base_url`, for example http://127.0.0.1:8080/v1",
        ),
        (
            "provider=ollama",
            "error: no model chosen for ollama; give one with `--model`, `HERMES_MODEL` or `model.default`",
        ),
        (
            "provider=local base_url=http://127.0.0.1:8080/v1 model=m",
            "error: provider `local` starts its own server and takes no `base_url`; leave the address out, or choose provider `llamacpp` for a server that runs already",
        ),
        (
            "base_url=localhost:8080/v1 model=m",
            "error: `base_url` isn't a URL; give it like https://host/v1",
        ),
        (
            "base_url=localhost model=m",
            "error: `base_url` has no `http://` or `https://` in front; give it like https://host/v1",
        ),
        (
            "base_url=ftp://host/v1 model=m",
            "error: `base_url` is neither http nor https; give it like https://host/v1",
        ),
        (
            "base_url=http://127.0.0.1:99999/v1 model=m",
            "error: `base_url` has a port that is none; ports go up to 65535; give it like https://host/v1",
        ),
        (
            "base_url=http://[::1]:99999/v1 model=m",
            "error: `base_url` has a port that is none; ports go up to 65535; give it like https://host/v1",
        ),
        (
            "base_url=https://host/v1#part model=m",
            "error: `base_url` has a `#` part, which no server sees; give it like https://host/v1",
        ),
        (
            "base_url=https://user:secret@host/v1 model=m",
            "error: `base_url` holds a user name or password, which would be logged; give it like https://host/v1",
        ),
    ] {
        assert_eq!(route(words), expected, "{words}");
    }
}

#[test]
fn profiles_are_sound() {
    let mut names: Vec<_> = PROFILES.iter().map(|profile| profile.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), PROFILES.len());
    // These two have no address of their own.
    let has_address = |profile: &&Profile| profile.name != "custom" && !profile.managed;
    for profile in PROFILES.iter().filter(has_address) {
        assert!(check_base_url(profile.base_url).is_ok(), "{}", profile.name);
        let is_remote = profile.base_url.starts_with("https://");
        assert_eq!(
            profile.key_variable.is_some(),
            is_remote,
            "{}",
            profile.name
        );
    }
}

#[test]
fn provider_local_needs_neither_address_nor_model_and_takes_no_key() {
    for words in [
        "provider=local",
        "provider=LOCAL model=tiny",
        "model=local/tiny",
        "provider=local OPENAI_API_KEY=k1 HERMES_API_KEY=k2",
    ] {
        let shown = route(words);
        assert!(shown.starts_with("local"), "{words}: {shown}");
        assert!(
            !shown.contains("k1") && !shown.contains("k2"),
            "{words}: {shown}"
        );
    }
}
