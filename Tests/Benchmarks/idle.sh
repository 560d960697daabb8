#!/usr/bin/env bash
# idle.sh PROGRAM [SECONDS]: what an idle daemon costs, beside gpsd. One figure to a line.
#
# Both run without a receiver that speaks: godwit with GNSS off, gpsd with no client, so that it has
# closed its device. Wake-ups are voluntary context switches of all threads (proc(5)), which is what
# a sleeping process makes when it is woken.
set -euo pipefail

program=$1
seconds=${2:-60}
folder=$(mktemp -d)
children=()
finish() {
  for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
  wait
  rm -rf "$folder"
}
trap finish EXIT

switches() { cat /proc/"$1"/task/*/status | awk '/^voluntary/ { sum += $2 } END { print sum }'; }
ticks() { awk '{ print $14 + $15 }' /proc/"$1"/stat; }
kilobytes() { awk -v key="$2:" '$1 == key { print $2 }' /proc/"$1"/smaps_rollup; }
milliseconds() { echo $((($(date +%s%N) - $1) / 1000000)); }

# NAME PID
measure() {
  local before after clean dirty start
  before=$(switches "$2")
  start=$(ticks "$2")
  sleep "$seconds"
  after=$(switches "$2")
  clean=$(kilobytes "$2" Private_Clean)
  dirty=$(kilobytes "$2" Private_Dirty)
  echo "idle $1 resident: $(kilobytes "$2" Rss) kB"
  echo "idle $1 private dirty: $dirty kB, private clean: $clean kB"
  echo "idle $1 anonymous: $(kilobytes "$2" Anonymous) kB"
  echo "idle $1 wake-ups: $(((after - before) * 3600 / seconds)) per hour"
  echo "idle $1 CPU: $(($(ticks "$2") - start)) ticks of 10 ms in $seconds s"
}

touch "$folder/empty.toml"
begin=$(date +%s%N)
"$program" run --config "$folder/empty.toml" --board "$folder/empty.toml" \
  --store "$folder/store.gpkg" --socket "$folder/control" \
  --set receiver.kind=none 2>"$folder/messages" &
children+=($!)
until [ -S "$folder/control" ]; do
  kill -0 "${children[0]}" || { cat "$folder/messages"; exit 1; }
done
echo "idle godwit start: $(milliseconds "$begin") ms until its socket is there"
sleep 1
measure godwit "${children[0]}"

if gpsd=$(PATH=$PATH:/usr/sbin command -v gpsd); then
  "$gpsd" -N -S 29470 /dev/null 2>/dev/null &
  children+=($!)
  sleep 1
  measure gpsd "${children[1]}"
else
  echo "idle gpsd: SKIPPED, not installed"
fi
