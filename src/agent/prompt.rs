//! The system prompt: the same bytes in every request of a session, so that providers can cache it.

/// The prompt of a host with or without tools.
pub(crate) fn system_prompt(has_tools: bool) -> String {
    let mut prompt = String::from(
        "You are Hermes, a careful and concise assistant working for the user at this computer.",
    );
    if has_tools {
        prompt.push_str(
            " You can call tools. Call one whenever it gives a surer answer than your memory, for \
             example for any arithmetic, and base your answer on its result. If a result has an \
             `error`, mend the arguments and call again, or tell the user what went wrong.",
        );
    }
    prompt
}
