use super::{Example, Examples};

fn examples(asks: &[&str]) -> Examples {
    let example = |ask: &&str| Example {
        ask: (*ask).to_owned(),
        tool: "t".to_owned(),
        arguments: "{}".to_owned(),
    };
    Examples::new(asks.iter().map(example).collect())
}

fn asks<'a>(found: &[&'a Example]) -> Vec<&'a str> {
    found.iter().map(|example| example.ask.as_str()).collect()
}

const ASKS: &[&str] = &[
    "What is 12 times 34?",
    "7 to the power of 5",
    "What is 20% of 85?",
    "Convert 100 Celsius to Kelvin",
    "Wie viele Meter sind 3 Kilometer?",
];

#[test]
fn the_nearest_comes_last_whatever_the_numbers() {
    let examples = examples(ASKS);
    for (question, nearest) in [
        ("What's 2 to the power of 16?", "7 to the power of 5"),
        ("how much is 15% of 240", "What is 20% of 85?"),
        (
            "convert 72 Fahrenheit to celsius",
            "Convert 100 Celsius to Kelvin",
        ),
        (
            "Wieviele Meter hat ein Kilometer",
            "Wie viele Meter sind 3 Kilometer?",
        ),
    ] {
        let found = examples.nearest(question, 3, 1000);
        assert_eq!(found.len(), 3);
        assert_eq!(asks(&found).last(), Some(&nearest), "{question}");
    }
}

#[test]
fn the_budget_holds_and_a_long_example_makes_room_for_a_short_one() {
    let long = "power of ".repeat(100);
    let examples = examples(&[&long, "7 to the power of 5", "Hello"]);
    assert_eq!(
        asks(&examples.nearest("power of 2", 2, 100)),
        ["Hello", "7 to the power of 5"]
    );
    assert!(examples.nearest("power of 2", 2, 0).is_empty());
    assert!(examples.nearest("power of 2", 0, 1000).is_empty());
}

#[test]
fn talk_is_near_to_no_example() {
    let examples = examples(ASKS);
    for question in [
        "What's 3 to the power of 4?",
        "What is 5% of 60?",
        "19 times 21",
    ] {
        assert!(examples.is_near(question), "{question}");
    }
    for question in [
        "Hello!",
        "Who wrote Hamlet?",
        "Tell me a joke.",
        "What color is grass?",
        "",
    ] {
        assert!(!examples.is_near(question), "{question}");
    }
}

#[test]
fn nothing_in_common_and_nothing_at_all_are_no_trouble() {
    assert_eq!(examples(ASKS).nearest("", 2, 1000).len(), 2);
    assert_eq!(examples(ASKS).nearest("€€€ 名前", 2, 1000).len(), 2);
    assert!(!examples(&[]).is_near("Hi"));
    assert!(examples(&[]).nearest("x", 3, 1000).is_empty());
    assert_eq!(asks(&examples(&["a", "a"]).nearest("a", 1, 1000)), ["a"]);
}

/// No tool is right for these, though some hold numbers and units.
#[cfg(feature = "plugin-calculator")]
const TALKS: &[&str] = &[
    "Hello!",
    "Who wrote Hamlet?",
    "Thanks, that's all.",
    "What's the capital of France?",
    "Tell me a joke.",
    "What can you do?",
    "Is a whale a fish?",
    "Good morning, how are you today?",
    "Who was president in 1945?",
    "I was born in 1990.",
    "Write a poem in 4 lines.",
    "Give me 3 tips for sleeping better.",
    "What is the meaning of life?",
    "What is a mile?",
    "How much do you like pizza?",
    "Convert this text to French: good day",
    "How many planets are there?",
    "Tell me about the year 2000.",
    "Hey there",
    "What's your name?",
    "Who painted the Mona Lisa?",
    "Nice, thank you!",
    "When did World War 2 end?",
    "Write me a haiku about rain.",
    "Are cats smarter than dogs?",
    "I have 2 brothers.",
];

#[cfg(feature = "plugin-calculator")]
#[test]
fn the_calculators_examples_tell_its_questions_from_talk() {
    let runtime = hermes_runtime::Runtime::builder().build();
    let examples = Examples::new(
        runtime
            .examples()
            .into_iter()
            .filter(|example| ["calculate", "unit_convert"].contains(&example.tool))
            .map(|example| Example {
                ask: example.ask.to_owned(),
                tool: example.tool.to_owned(),
                arguments: example.args.to_owned(),
            })
            .collect(),
    );
    let taken: Vec<&str> = TALKS
        .iter()
        .copied()
        .filter(|talk| examples.is_near(talk))
        .collect();
    assert!(taken.is_empty(), "{taken:?}");
    let questions = concat!(
        include_str!("../../../../tests/e2e/questions.jsonl"),
        include_str!("../../../../tests/e2e/more_questions.jsonl")
    );
    let missed: Vec<String> = questions
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|question| question["ask"].as_str().unwrap().to_owned())
        .filter(|question| !examples.is_near(question))
        .collect();
    assert_eq!(missed, ["I bought 14 books at 9.50 each. What did I pay?"]);
}
