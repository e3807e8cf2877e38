//! `hermes model test`: two questions, as the agent would ask them.

use super::super::{End, Ended, FAILED, INTERRUPTED, block_on, print_json};
use super::meant;
use crate::agent::{Example, SmallModel, recover};
use crate::config::Config;
use crate::host;
use crate::model::{Choice, Model};
use crate::provider::{Message, Reply, Request, RouteFlags, ToolSpec};
use crate::term::{line, note, one_line};
use hermes_runtime::args::{Undeclared, normalise};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What came of it.
struct Outcome {
    /// Until the model could be asked.
    ready: Duration,
    answer: Asked,
    call: Asked,
}

/// One question.
struct Asked {
    took: Duration,
    /// What was wrong.
    result: Result<String, String>,
}

pub(super) fn run(config: &Config, name: Option<&str>, json: bool) -> Ended {
    let flags = match name {
        None => RouteFlags::default(),
        Some(name) => {
            let (provider, model) = meant(name)?;
            RouteFlags {
                provider: Some(provider),
                model: Some(model),
                base_url: None,
            }
        }
    };
    let choice =
        Choice::by(&flags, config).map_err(|error| End::Usage(error.to_string(), error.hints()))?;
    let (provider, model) = (choice.provider().to_owned(), choice.model().to_owned());
    if !json {
        line(&format!("model    {model} ({provider})"));
    }
    let asked = block_on(async {
        tokio::select! {
            biased;
            _ = tokio::signal::ctrl_c() => None,
            asked = ask(config, choice) => Some(asked),
        }
    })?;
    let outcome = match asked {
        Some(Ok(outcome)) => outcome,
        None => {
            note("interrupted");
            return Err(End::Code(INTERRUPTED));
        }
        Some(Err(text)) => {
            note(&format!("hermes: {text}"));
            return Err(End::Code(FAILED));
        }
    };
    let is_good = outcome.answer.result.is_ok() && outcome.call.result.is_ok();
    if json {
        print_json(&json!({
            "provider": provider,
            "model": model,
            "ready_seconds": outcome.ready.as_secs_f64(),
            "answer": outcome.answer.json(),
            "call": outcome.call.json(),
        }));
    } else {
        line(&format!(
            "ready    after {:.1} s",
            outcome.ready.as_secs_f64()
        ));
        line(&format!("answer   {}", outcome.answer.text()));
        line(&format!("call     {}", outcome.call.text()));
    }
    if is_good {
        Ok(())
    } else {
        Err(End::Code(FAILED))
    }
}

impl Asked {
    fn text(&self) -> String {
        let (mark, text) = match &self.result {
            Ok(text) => ('✓', text),
            Err(text) => ('✗', text),
        };
        format!(
            "{mark} {:.1} s  {}",
            self.took.as_secs_f64(),
            one_line(text, 100)
        )
    }

    fn json(&self) -> Value {
        json!({
            "seconds": self.took.as_secs_f64(),
            "ok": self.result.is_ok(),
            "text": self.result.as_ref().ok(),
            "error": self.result.as_ref().err(),
        })
    }
}

async fn ask(config: &Config, choice: Choice) -> Result<Outcome, String> {
    let runtime = host::runtime(config);
    let start = Instant::now();
    let model = choice
        .open(&runtime, None, || {
            note("hermes: starting the local model …");
        })
        .await
        .map_err(|error| error.to_string())?;
    let ready = start.elapsed();
    let answer = answer(&model).await;
    let call = call(&model).await;
    Ok(Outcome {
        ready,
        answer,
        call,
    })
}

async fn answer(model: &Model) -> Asked {
    let messages = [Message::user("Say hello in one short sentence.")];
    timed(model, &messages, &[], |reply| {
        let text = reply.content.trim();
        if text.is_empty() {
            Err("the model answered nothing".to_owned())
        } else {
            Ok(text.to_owned())
        }
    })
    .await
}

async fn call(model: &Model) -> Asked {
    let parameters = json!({
        "type": "object",
        "properties": {"city": {"type": "string", "description": "City name"}},
        "required": ["city"],
    });
    let spec = match ToolSpec::new("city_time", "Get the current time in a city.", &parameters) {
        Ok(spec) => [spec],
        Err(error) => {
            return Asked {
                took: Duration::ZERO,
                result: Err(error.to_string()),
            };
        }
    };
    let messages = [Message::user(
        "What time is it in Lisbon? Use the tool city_time.",
    )];
    timed(model, &messages, &spec, |reply| {
        let call = reply
            .tool_calls
            .first()
            .ok_or_else(|| format!("no tool call, but: {}", reply.content))?;
        let read = normalise(
            &call.name,
            &parameters,
            call.arguments.as_str(),
            Undeclared::Drop,
        )
        .map_err(|error| error.to_string())?;
        Ok(format!("{} {}", call.name, Value::Object(read.args)))
    })
    .await
}

async fn timed(
    model: &Model,
    messages: &[Message],
    tools: &[ToolSpec],
    judge: impl FnOnce(&Reply) -> Result<String, String>,
) -> Asked {
    let start = Instant::now();
    let examples = vec![Example {
        ask: "What's the time in Rome?".to_owned(),
        tool: "city_time".to_owned(),
        arguments: "{\"city\": \"Rome\"}".to_owned(),
    }];
    let small = model
        .small
        .is_some()
        .then(|| SmallModel::new(examples, 600, true));
    let request = match &small {
        Some(small) => small.request(messages, tools),
        None => Request {
            messages: messages.to_vec(),
            tools: tools.to_vec(),
            ..Request::default()
        },
    };
    let result = match model.client.complete(&request, &mut |_| {}).await {
        Err(error) => Err(error.to_string()),
        Ok(mut reply) => {
            if let Some(small) = &small {
                small.read(&mut reply, messages, tools);
            }
            recover(&mut reply, tools);
            judge(&reply)
        }
    };
    Asked {
        took: start.elapsed(),
        result,
    }
}
