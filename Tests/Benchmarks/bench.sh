#!/usr/bin/env bash
# Every measured figure of docs/results/performance.md, each beside what it is compared with, in
# one run.
set -euo pipefail
cd "$(dirname "$0")/../.."
godwit=.build/release/godwit
bench=.build/release/godwit-bench
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{ swift build -c release --product godwit-bench && swift build -c release --product bench-bus; } \
  >"$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }

# Wall-clock seconds of a command, the best of three.
best() {
  local times=() start
  for _ in 1 2 3; do
    start=$(date +%s.%N)
    "$@" >/dev/null 2>&1
    times+=("$(awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN { printf "%.4f", b - a }')")
  done
  printf '%s\n' "${times[@]}" | sort -n | head -n 1
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / b }'; }

echo "machine: $(uname -m), $(nproc) cores, $(awk -F: '/model name/ { print $2; exit }' /proc/cpuinfo | xargs)"
echo "date: $(date -I)"

echo; echo "== NMEA decoding"
$bench decode
$bench transcript 40000 >"$work/nmea.log"
bytes=$(stat -c %s "$work/nmea.log")
ours=$(best $godwit decode "$work/nmea.log")
theirs=$(best sh -c "gpsdecode <'$work/nmea.log'")
decode_ratio=$(ratio "$theirs" "$ours")
awk -v b="$bytes" -v a="$ours" -v g="$theirs" 'BEGIN {
  printf "end to end: %.1f MB: godwit decode %.1f MB/s, gpsdecode %.1f MB/s\n", b/1e6, b/1e6/a, b/1e6/g }'
echo "end to end: godwit decode is $decode_ratio times as fast as gpsdecode"
$bench noise 256

echo; echo "== Visits"
$bench visits
$bench motion

echo; echo "== Simulation"
elapsed() { awk -v a="$1" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }'; }
start=$(date +%s.%N)
$godwit simulate --days 365 --policy hybrid --store "$work/year.gpkg" --json >"$work/year.json"
echo "a synthetic year, hybrid: $(elapsed "$start") s"
start=$(date +%s.%N)
$bench truth 365 | $godwit simulate - --policy hybrid --store "$work/trace.gpkg" --json >"$work/trace.json"
trace=$(elapsed "$start")
echo "a year of 1 Hz truth read as CSV, hybrid: $trace s"
start=$(date +%s.%N)
$godwit simulate --days 7 --policy continuous --store "$work/week.gpkg" --json >"$work/week.json"
awk -v a="$start" -v b="$(date +%s.%N)" 'BEGIN {
  printf "a week of continuous tracking: %.0f fixes a second through the whole pipeline\n", 604800 / (b - a) }'

echo; echo "== Cells"
$bench cell-table 1000000 >"$work/cells.csv"
python3 - $godwit "$work" <<'PYTHON'
import resource, subprocess, sys, time
start = time.monotonic()
subprocess.run([sys.argv[1], "cells", "import", sys.argv[2] + "/cells.csv", "--table", sys.argv[2] + "/cells"],
               check=True, stdout=subprocess.DEVNULL)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
print(f"cells: a million rows imported in {time.monotonic() - start:.1f} s, {peak / 1e3:.0f} MB resident at most")
PYTHON
$bench cells "$work/cells" 1000000

echo; echo "== Places"
$bench places "$work" 100000

echo; echo "== Disk"
$bench store "$work" 7
strace -f -qq -y -e trace=pwrite64,write -o "$work/writes" \
  $godwit simulate --durable --policy adaptive --store "$work/durable.gpkg" --json >/dev/null
awk '/durable.gpkg/ { n += $NF } END {
  printf "written to the store by a simulated day of adaptive tracking: %.0f kB\n", n / 1e3 }' \
  "$work/writes"
# What the kernel counted, in whole blocks: getrusage(2), ru_oublock.
python3 - $godwit "$work/blocks.gpkg" <<'PYTHON'
import resource, subprocess, sys
subprocess.run([sys.argv[1], "simulate", "--durable", "--policy", "adaptive", "--store", sys.argv[2], "--json"],
               check=True, stdout=subprocess.DEVNULL)
blocks = resource.getrusage(resource.RUSAGE_CHILDREN).ru_oublock
print(f"the same day in blocks of the disk: {blocks * 512 / 1e3:.0f} kB")
PYTHON

echo; echo "== Idle daemon"
cp $godwit "$work/godwit"
strip "$work/godwit"
sync "$work/godwit"  # freshly written pages would count as private
BUS=${BUS:-.build/release/bench-bus} Tests/Benchmarks/idle.sh "$work/godwit" 10

echo; echo "== Uplink that stays connected"
Tests/Benchmarks/uplink.sh "$work/godwit"

echo "bench: decode $decode_ratio x gpsdecode, a year of 1 Hz truth in $trace s"
