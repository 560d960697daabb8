#!/usr/bin/env bash
# A comparison of four policies over many one-day traces: how long it takes, and whether its memory
# grows with their number. Tests/Benchmarks/comparison.sh [TRACES]; 1000 if not given. The traces are
# days of all lives with a position every 10 s, and take 0.6 MB each.
set -euo pipefail
cd "$(dirname "$0")/../.."
godwit=${PROGRAM:-.build/release/godwit}
count=${1:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

lives=$($godwit simulate --life '?' --score 2>&1 | sed 's/.*there are //; s/,//g' || true)
mkdir "$work/traces"
i=0
for seed in $(seq 1 "$count"); do
  for life in $lives; do
    [ "$i" -lt "$count" ] || break 2
    name=$work/traces/$life-$seed
    echo "simulate --life $life --seed $seed --policy periodic --score --truth-track $name.csv" \
      "--truth-stays $name.stays.json"
    i=$((i + 1))
  done
done | xargs -P "$(nproc)" -L 1 $godwit >/dev/null

# Seconds, CPU seconds, and the most memory of the comparison itself and of the largest run (kB).
measure() {
  local start policies=adaptive,hybrid,periodic,continuous
  start=$(date +%s.%N)
  $godwit simulate "$@" --policy $policies --stays "$work/traces" --csv "$work/lines.csv" \
    >"$work/out" 2>"$work/err" &
  local pid=$! own=0
  while kill -0 $pid 2>/dev/null; do
    own=$(awk '/VmHWM/ { print $2 }' /proc/$pid/status 2>/dev/null || echo "$own")
    sleep 0.2
  done
  wait $pid || { cat "$work/err"; exit 1; }
  awk -v a="$start" -v b="$(date +%s.%N)" -v own="${own:-0}" -v runs="$(($(wc -l <"$work/lines.csv") - 5))" \
    'BEGIN { printf "%d runs in %.1f s, %.1f runs/s; the comparison itself takes %.1f MB\n",
      runs, b - a, runs / (b - a), own / 1024 }'
}

tenth=$(find "$work/traces" -name '*.csv' | sort | sed -n "1,$(((count + 9) / 10))p")
measure $tenth
measure "$work/traces"
head -n 9 "$work/out" | cut -c 1-150
