//! What this machine's processor can do, and which engines therefore run on it.

use super::catalog::EngineSource;
use std::collections::BTreeSet;

/// A machine as an engine sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Machine {
    /// As in `std::env::consts`.
    pub(crate) os: String,
    pub(crate) arch: String,
    /// As in `/proc/cpuinfo`.
    pub(crate) features: BTreeSet<String>,
}

/// Why an engine can't run on a machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    #[error("it is for {os} on {arch}")]
    Platform { os: String, arch: String },
    #[error("this processor lacks {}", .features.join(", "))]
    Processor { features: Vec<String> },
}

impl Machine {
    /// The machine that this runs on.
    pub(crate) fn this() -> Self {
        let mut features: BTreeSet<String> = features().into_iter().map(str::to_owned).collect();
        features.extend(matrix_features());
        Self {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            features,
        }
    }

    /// Whether an engine of the catalogue runs here.
    pub(crate) fn fits(&self, engine: &EngineSource) -> Result<(), Unfit> {
        self.has(engine.platform, engine.features.iter().copied())
    }

    /// Whether a platform and features are those of this machine.
    pub(crate) fn has<'f>(
        &self,
        platform: Option<(&str, &str)>,
        features: impl IntoIterator<Item = &'f str>,
    ) -> Result<(), Unfit> {
        if let Some((os, arch)) = platform
            && (os != self.os || arch != self.arch)
        {
            return Err(Unfit::Platform {
                os: os.to_owned(),
                arch: arch.to_owned(),
            });
        }
        let missing: Vec<String> = features
            .into_iter()
            .filter(|feature| !self.features.contains(*feature))
            .map(str::to_owned)
            .collect();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(Unfit::Processor { features: missing })
        }
    }
}

/// Each feature that a compiler told to build for this very processor might use.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    macro_rules! detected {
        ($($rust:tt = $kernel:literal),* $(,)?) => {
            [$((std::arch::is_x86_feature_detected!($rust), $kernel)),*]
        };
    }
    detected!(
        "sse3" = "pni",
        "ssse3" = "ssse3",
        "sse4.1" = "sse4_1",
        "sse4.2" = "sse4_2",
        "popcnt" = "popcnt",
        "lzcnt" = "abm",
        "movbe" = "movbe",
        "avx" = "avx",
        "avx2" = "avx2",
        "fma" = "fma",
        "f16c" = "f16c",
        "bmi1" = "bmi1",
        "bmi2" = "bmi2",
        "adx" = "adx",
        "aes" = "aes",
        "pclmulqdq" = "pclmulqdq",
        "sha" = "sha_ni",
        "gfni" = "gfni",
        "vaes" = "vaes",
        "vpclmulqdq" = "vpclmulqdq",
        "avxvnni" = "avx_vnni",
        "avxifma" = "avx_ifma",
        "avxvnniint8" = "avx_vnni_int8",
        "avxneconvert" = "avx_ne_convert",
        "avx512f" = "avx512f",
        "avx512bw" = "avx512bw",
        "avx512cd" = "avx512cd",
        "avx512dq" = "avx512dq",
        "avx512vl" = "avx512vl",
        "avx512ifma" = "avx512ifma",
        "avx512vbmi" = "avx512vbmi",
        "avx512vbmi2" = "avx512_vbmi2",
        "avx512vnni" = "avx512_vnni",
        "avx512bitalg" = "avx512_bitalg",
        "avx512vpopcntdq" = "avx512_vpopcntdq",
        "avx512bf16" = "avx512_bf16",
        "avx512fp16" = "avx512_fp16",
    )
    .into_iter()
    .filter_map(|(is_there, name)| is_there.then_some(name))
    .collect()
}

/// None that is known: engines for other architectures are told apart by architecture alone.
#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

/// The matrix extensions, `amx_…`, which std can't detect on stable Rust; as far as the kernel
/// tells.
fn matrix_features() -> Vec<String> {
    let cpuinfo = if cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default()
    } else {
        String::new()
    };
    let flags = cpuinfo.lines().find(|line| line.starts_with("flags"));
    flags
        .unwrap_or_default()
        .split_whitespace()
        .filter(|flag| flag.starts_with("amx_"))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Machine, Unfit};
    use crate::local::catalog::{ENGINES, EngineOrigin, EngineSource};

    fn packaged() -> &'static EngineSource {
        ENGINES
            .iter()
            .find(|engine| matches!(engine.origin, EngineOrigin::Package(_)))
            .unwrap()
    }

    fn machine(os: &str, arch: &str, features: &[&str]) -> Machine {
        Machine {
            os: os.to_owned(),
            arch: arch.to_owned(),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
        }
    }

    #[test]
    fn the_packaged_engine_is_refused_by_the_feature_that_is_missing() {
        let all = packaged().features;
        assert_eq!(machine("linux", "x86_64", all).fits(packaged()), Ok(()));
        // A Xeon of 2021 has all but the last.
        let some = &all[..all.len() - 1];
        let unfit = machine("linux", "x86_64", some)
            .fits(packaged())
            .unwrap_err();
        assert_eq!(unfit.to_string(), "this processor lacks avx_vnni");
        let unfit = machine("linux", "x86_64", &[])
            .fits(packaged())
            .unwrap_err();
        assert!(matches!(unfit, Unfit::Processor { features } if features.len() == all.len()));
    }

    #[test]
    fn an_engine_for_another_platform_is_refused() {
        for machine in [
            machine("linux", "aarch64", &[]),
            machine("macos", "x86_64", &[]),
        ] {
            let unfit = machine.fits(packaged()).unwrap_err();
            assert_eq!(unfit.to_string(), "it is for linux on x86_64");
        }
    }

    #[test]
    #[cfg(all(target_os = "linux", target_arch = "x86_64"))]
    fn features_are_called_as_the_kernel_calls_them() {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let flags = cpuinfo
            .lines()
            .find(|line| line.starts_with("flags"))
            .unwrap();
        for feature in Machine::this().features {
            assert!(
                flags.split_whitespace().any(|flag| flag == feature),
                "{feature}"
            );
        }
    }
}
