//! What a plugin is made of: its manifest, its items, its state.

mod manifest;
mod state;

pub use manifest::{Item, Origin, PLUGINS, PluginDef, SkillDef, plugin_name};
pub use state::{StateDef, state};
