#!/usr/bin/env bash
# Measures what docs/performance.md tells of and prints its tables.
#
#   benches/run.sh [dispatch] [process] [weight] [compile] [clean-build]
#
# Without words: dispatch, process and weight. Needs valgrind for `dispatch`, hyperfine and GNU
# time for `process`. RUNS sets how often a process is started (40).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target="${CARGO_TARGET_DIR:-target}"
release="$target/release"
work="$(mktemp -d)"
model_pid=""
trap '[[ -z $model_pid ]] || kill "$model_pid"; rm -rf "$work"' EXIT

need() {
    type -P "$1" >/dev/null || {
        printf 'benches: %s is missing; %s\n' "$1" "$2" >&2
        exit 1
    }
}

build_benches() { cargo build --quiet --release -p hermes-benches; }
build_host() { cargo build --quiet --release -p hermes-agent --features plugin-calculator; }

# Instructions and heap allocations of one call: 2N calls less N calls, so start-up is not in it.
per_call() {
    local calls=2000
    local count=("$@")
    local one two
    one="$("${count[@]}" "$calls")"
    two="$("${count[@]}" $((calls * 2)))"
    awk -v one="$one" -v two="$two" -v calls="$calls" 'BEGIN { printf "%.1f", (two - one) / calls }'
}
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$release/dispatch" "$1" "$2" 2>&1 |
        awk '/Collected/ { print $4 }'
}
allocations() {
    valgrind --tool=memcheck --leak-check=no "$release/dispatch" "$1" "$2" 2>&1 |
        awk '/total heap usage/ { gsub(",", "", $5); print $5 }'
}

dispatch() {
    need valgrind "install it, for example apt-get install valgrind"
    build_benches
    printf '\n%-8s %14s %8s %14s %10s\n' way instructions ratio allocations ns
    local way peer=""
    for way in peer ours long hooked; do
        local work_done heap ns
        work_done="$(per_call instructions "$way")"
        heap="$(per_call allocations "$way")"
        ns="$("$release/dispatch" "$way" 4000 time)"
        peer="${peer:-$work_done}"
        printf '%-8s %14s %8s %14s %10s\n' "$way" "$work_done" \
            "$(awk -v a="$work_done" -v b="$peer" 'BEGIN { printf "%.2f", a / b }')" "$heap" "$ns"
    done
}

# A line of a whole process: median wall and mean CPU time, largest resident memory of five runs.
process_line() {
    local name="$1" metrics=() memory
    shift
    # Hyperfine 2 writes wall time alone unless told, and gives its columns longer names.
    if hyperfine --help | grep -q -e --metrics; then
        metrics=(--metrics time_wall_clock:s,time_user:s,time_system:s)
    fi
    hyperfine --shell=none --warmup 3 --runs "${RUNS:-40}" --style none "${metrics[@]}" \
        --export-csv "$work/times.csv" "$(printf '%q ' "$@")" >/dev/null 2>"$work/said" || {
        cat "$work/said" >&2
        exit 1
    }
    memory="$(for _ in 1 2 3 4 5; do
        command time -f %M -o "$work/memory" "$@" >/dev/null 2>&1
        cat "$work/memory"
    done | sort -n | tail -1)"
    awk -F, -v name="$name" -v memory="$memory" -v base_file="$work/base" '
        NR == 1 { for (at = 1; at <= NF; at++) column[$at] = at }
        function seconds(short, long) { return $(column[short] ? column[short] : column[long]) }
        NR == 2 {
            wall = seconds("median", "time_wall_clock_median")
            cpu = seconds("user", "time_user_mean") + seconds("system", "time_system_mean")
            if ((getline base < base_file) <= 0) { base = wall; print base >base_file }
            printf "%-24s %10.2f %8.2f %10.2f %12.1f\n", name, wall * 1e3, wall / base, cpu * 1e3, memory / 1024
        }' "$work/times.csv"
}

# Sets the environment so that `hermes` asks it.
start_model() {
    [[ -z $model_pid ]] || kill "$model_pid"
    : >"$work/address"
    "$release/instant_model" "$@" >"$work/address" &
    model_pid=$!
    until [[ -s $work/address ]]; do sleep 0.05; done
    export HERMES_BASE_URL HERMES_MODEL=instant
    HERMES_BASE_URL="$(cat "$work/address")"
}

process() {
    need hyperfine "install it, for example cargo install hyperfine"
    need time "install GNU time, for example apt-get install time"
    build_benches
    build_host
    export HERMES_HOME="$work/home"
    mkdir -p "$HERMES_HOME"
    printf '\n%-24s %10s %8s %10s %12s\n' process 'wall ms' ratio 'CPU ms' 'memory MiB'
    process_line 'empty main' "$release/empty"
    process_line 'tools list' "$release/hermes" tools list
    start_model
    process_line 'chat -q' "$release/hermes" chat -q hi
    start_model --tool-call
    process_line 'chat -q, one tool call' "$release/hermes" chat -q hi
}

weight() {
    build_host
    local bytes packages
    bytes="$(wc -c <"$release/hermes")"
    packages="$(cargo tree -e normal,build -p hermes-agent --features plugin-calculator --prefix none |
        sed 's/ (\*)$//' | sort -u | wc -l)"
    printf '\nbinary with the calculator  %s bytes\npackages                    %s\n' "$bytes" "$packages"
}

# CPU seconds of cargo and all that it starts, for the crate alone: the least of three.
cpu_seconds() {
    local folder="$1" times
    shift
    for _ in 1 2 3; do
        cargo clean --quiet --manifest-path "$folder/Cargo.toml" -p many-tools "${@:2}"
        times="$({ TIMEFORMAT='%U %S'; time cargo --quiet "$@" --manifest-path "$folder/Cargo.toml" >&2; } 2>&1 | tail -1)"
        awk '{ print $1 + $2 }' <<<"$times"
    done | sort -n | head -1
}

# A hundred tools, by hand and in both argument forms of the macros.
compile() {
    build_benches
    local root shape folder check built peer=""
    root="$PWD"
    printf '\n%-10s %14s %8s %14s\n' tools 'check CPU s' ratio 'release CPU s'
    for shape in peer arguments struct; do
        folder="$work/$shape"
        mkdir -p "$folder/src"
        "$release/many_tools" "$shape" 100 >"$folder/src/lib.rs"
        cp Cargo.lock "$folder"
        {
            printf '[package]\nname = "many-tools"\nversion = "0.0.0"\nedition = "2024"\n[workspace]\n[dependencies]\n'
            if [[ $shape == peer ]]; then
                printf 'inventory = "0.3"\nserde = { version = "1", features = ["derive"] }\nserde_json = "1"\nschemars = "1"\n'
            else
                printf 'hermes-agent-core = { path = "%s/hermes-core" }\n' "$root"
            fi
        } >"$folder/Cargo.toml"
        local -x CARGO_TARGET_DIR="$work/compile"
        cargo check --quiet --manifest-path "$folder/Cargo.toml"
        cargo build --release --quiet --manifest-path "$folder/Cargo.toml"
        check="$(cpu_seconds "$folder" check)"
        built="$(cpu_seconds "$folder" build --release)"
        peer="${peer:-$check}"
        printf '%-10s %14s %8s %14s\n' "$shape" "$check" \
            "$(awk -v a="$check" -v b="$peer" 'BEGIN { printf "%.2f", a / b }')" "$built"
    done
}

# Into an empty folder; user and system seconds of cargo and all that it starts.
clean_build() {
    cargo fetch --quiet
    local TIMEFORMAT='clean release build         %U s user, %S s system, %R s wall'
    time CARGO_TARGET_DIR="$work/target" build_host
}

[[ $# -gt 0 ]] || set -- dispatch process weight
for part in "$@"; do
    case "$part" in
    dispatch | process | weight | compile) "$part" ;;
    clean-build) clean_build ;;
    *)
        printf 'benches: no part %s; see the head of this file\n' "$part" >&2
        exit 2
        ;;
    esac
done
