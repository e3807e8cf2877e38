use crate::{CommandDef, HookDef, ToolDef};
use linkme::distributed_slice;

/// Every manifest in the binary, one per crate with a [`plugin!`](crate::plugin).
#[distributed_slice]
pub static PLUGINS: [PluginDef];

inventory::collect!(Item);

/// One registered item.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Item {
    /// A tool.
    Tool(&'static ToolDef),
    /// A hook.
    Hook(&'static HookDef),
    /// A slash command.
    Command(&'static CommandDef),
}

impl Item {
    /// Where it stands.
    pub const fn origin(&self) -> &'static Origin {
        match self {
            Self::Tool(def) => def.origin(),
            Self::Hook(def) => def.origin(),
            Self::Command(def) => def.origin(),
        }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Tool(def) => def.name(),
            Self::Hook(def) => def.name(),
            Self::Command(def) => def.name(),
        }
    }
}

/// The place of an item in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    module: &'static str,
    file: &'static str,
    line: u32,
    column: u32,
}

impl Origin {
    /// From `module_path!()`, `file!()`, `line!()`, `column!()`.
    pub const fn new(module: &'static str, file: &'static str, line: u32, column: u32) -> Self {
        Self {
            module,
            file,
            line,
            column,
        }
    }

    /// The crate: the first part of the module path.
    pub fn krate(&self) -> &'static str {
        self.module.split("::").next().unwrap_or(self.module)
    }

    /// The module path.
    pub const fn module(&self) -> &'static str {
        self.module
    }

    /// The source file, as rustc was given it.
    pub const fn file(&self) -> &'static str {
        self.file
    }

    /// The line, from 1.
    pub const fn line(&self) -> u32 {
        self.line
    }

    /// The column, from 1.
    pub const fn column(&self) -> u32 {
        self.column
    }
}

/// A plugin's manifest, as [`plugin!`](crate::plugin) makes it from `Cargo.toml`.
#[derive(Debug)]
pub struct PluginDef {
    name: &'static str,
    package: &'static str,
    version: &'static str,
    description: &'static str,
    authors: &'static str,
    origin: Origin,
    skills: &'static [SkillDef],
    skill_folder: Option<&'static str>,
}

impl PluginDef {
    /// A manifest of these Cargo fields.
    pub const fn new(
        package: &'static str,
        version: &'static str,
        description: &'static str,
        authors: &'static str,
        origin: Origin,
    ) -> Self {
        Self {
            name: plugin_name(package),
            package,
            version,
            description,
            authors,
            origin,
            skills: &[],
            skill_folder: None,
        }
    }

    /// Another name than the package's.
    #[must_use]
    pub const fn name_is(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// The embedded skills, and the folder they were read from in a debug build.
    #[must_use]
    pub const fn skills_are(
        mut self,
        skills: &'static [SkillDef],
        folder: Option<&'static str>,
    ) -> Self {
        self.skills = skills;
        self.skill_folder = folder;
        self
    }

    /// The plugin's name: the package's without `hermes-plugin-`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The Cargo package.
    pub const fn package(&self) -> &'static str {
        self.package
    }

    /// Its version.
    pub const fn version(&self) -> &'static str {
        self.version
    }

    /// What it is for; empty if `Cargo.toml` doesn't say.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// Who wrote it, separated by `:`; empty if `Cargo.toml` doesn't say.
    pub const fn authors(&self) -> &'static str {
        self.authors
    }

    /// Where its `plugin!` stands.
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Its skills as they were when it was compiled.
    pub const fn skills(&self) -> &'static [SkillDef] {
        self.skills
    }

    /// Where its skills can be read anew; `None` in a release build.
    pub const fn skill_folder(&self) -> Option<&'static str> {
        self.skill_folder
    }
}

/// An embedded skill: a folder's name and the text of its `SKILL.md`.
#[derive(Debug, Clone, Copy)]
pub struct SkillDef {
    /// The folder's name.
    pub folder: &'static str,
    /// The text of `SKILL.md`.
    pub text: &'static str,
}

/// A package's name without `hermes-plugin-`.
pub const fn plugin_name(package: &'static str) -> &'static str {
    const PREFIX: &[u8] = b"hermes-plugin-";
    let bytes = package.as_bytes();
    if bytes.len() <= PREFIX.len() {
        return package;
    }
    let mut at = 0;
    while at < PREFIX.len() {
        if bytes[at] != PREFIX[at] {
            return package;
        }
        at += 1;
    }
    match package.split_at_checked(PREFIX.len()) {
        Some((_, name)) => name,
        None => package,
    }
}
