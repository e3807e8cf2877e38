//! The agent with a real model. Without a network there is none: that is no fault of the code.

use anyhow::Result;

use super::{Context, Outcome};
use crate::e2e::{self, Ended, Options};

pub(super) fn run(_: &Context) -> Result<Outcome> {
    Ok(match e2e::check(&Options::usual())? {
        Ended::Passed => Outcome::Passed,
        Ended::NoModel(why) => Outcome::OutOfReach(why),
    })
}
