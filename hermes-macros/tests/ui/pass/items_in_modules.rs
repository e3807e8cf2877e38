//! Items may stand in modules and share names there; the function stays callable.

#![deny(warnings)]

hermes_core::plugin! {}

mod first {
    use hermes_core::prelude::*;

    #[hermes_state]
    #[derive(Default)]
    pub(super) struct State;

    /// First.
    #[hermes_tool(name = "first")]
    pub(crate) fn run(state: &State) -> u8 {
        let _: &State = state;
        1
    }
}

mod second {
    use super::first::State;
    use hermes_core::prelude::*;

    /// Second.
    #[hermes_tool(name = "second")]
    pub(crate) fn run(state: &State) -> u8 {
        let _: &State = state;
        2
    }
}

fn main() {
    use hermes_core::ToolItem;
    assert_eq!(first::run(&first::State) + second::run(&first::State), 3);
    assert_eq!(first::RunTool::def().name(), "first");
    assert_eq!(second::RunTool::def().name(), "second");
}
