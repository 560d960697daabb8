#!/usr/bin/env bash
# A simulated day on the virtual board, once with Godwit's schedule and once with the receiver on
# all the time: the receiver's bytes go through the real decoder, the switch turns it off and on, the
# monitor reports its current. Leaves the store and its exports in demo/ of the current folder.
# GODWIT_PROGRAM names another build of the program.
set -euo pipefail
godwit=${GODWIT_PROGRAM:-$(dirname "$0")/../../.build/release/godwit}

rm -rf demo
mkdir demo

simulate() { $godwit simulate --coarse --seed 1 --score --json "$@"; }
simulate --store demo/day.gpkg >demo/day.json
simulate --policy continuous >demo/continuous.json

# value FILE KEY: a number of the file's JSON.
value() { grep -o "\"$2\":[-0-9.]*" "demo/$1.json" | head -n 1 | cut -d : -f 2; }
# row LABEL FORMAT SCALE KEY...: a line of the table, with the scaled values of both runs.
row() {
  local label=$1 format=$2 scale=$3 run key cells=()
  shift 3
  for run in day continuous; do
    cells+=("$(awk "BEGIN { printf \"$format\"$(for key in "$@"; do
      echo ", $scale * $(value $run "$key")"; done | tr '\n' ' ') }")")
  done
  printf '%-40s %14s %18s\n' "$label" "${cells[@]}"
}

cat <<'END'
A simulated day of somebody who lives in a city, goes to work and to lunch. The
receiver has no signal indoors. On the left what Godwit does; on the right the
same day with the receiver on all the time.

END
printf '%-40s %14s %18s\n' "" "Godwit" "always on"
row "time that the receiver was on" "%.0f min" 1/60 gnss_on_s
row "charge that it drew from the battery" "%.0f mAh" 1 gnss_charge_mAh
row "stays found, of those of 5 min and more" "%d of %d" 1 stays_found stays
row "arrival times off by (median)" "%.0f s" 1 arrival_error_median_s
row "departure times off by (median)" "%.0f s" 1 departure_error_median_s
row "positions of the stays off by (median)" "%.0f m" 1 position_error_median_m
row "route off by (median)" "%.0f m" 1 route_error_median_m

cat <<'END'

Where the board stayed (UTC). The confidence is lower where the board was not
located for long: the first night had no signal from its beginning.

END
$godwit visits --store demo/day.gpkg --json | awk '
  BEGIN { print "ARRIVED           LEFT              LATITUDE  LONGITUDE  ACCURACY  CONFIDENCE" }
  function member(name,  i) {
    if (!match($0, "\"" name "\":[^,}]*")) return ""
    i = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub("\"", "", i)
    return i
  }
  function minute(time) {
    return time == "null" ? "(still there)" : substr(time, 1, 10) " " substr(time, 12, 5)
  }
  /"arrival"/ {
    printf "%-16s  %-16s  %8.5f  %9.5f  %6.0f m  %8.0f %%\n", minute(member("arrival")),
      minute(member("departure")), member("lat"), member("lon"), member("accuracy_m"),
      100 * member("confidence")
  }'

for format in gpx geojson svg; do
  $godwit export $format --store demo/day.gpkg --output demo/day.$format
done
cat <<'END'

Open demo/day.svg in a browser for a map of the day, demo/day.gpkg in QGIS,
demo/day.gpx and demo/day.geojson in any map program.

END

found=$(value day stays_found) stays=$(value day stays)
[ "$found" -ge 1 ] || { echo "demo: FAILED: no stay was found"; exit 1; }
share=$(awk "BEGIN { printf \"%.1f\", 100 * $(value day gnss_energy_J) / $(value continuous gnss_energy_J) }")
echo "demo: $found of $stays stays found with $share % of the receiver's energy in continuous tracking"
