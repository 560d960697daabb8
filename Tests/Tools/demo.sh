#!/usr/bin/env bash
# A simulated day on the virtual board: the receiver's bytes go through the real decoder, the switch
# turns it off and on, the monitor reports its current. Leaves demo/ with the store and its exports.
set -euo pipefail
cd "$(dirname "$0")/../.."
godwit=.build/release/godwit

rm -rf demo
mkdir demo

echo "A synthetic day of a city resident, on a virtual board with a u-blox M8, seed 1."
echo
$godwit simulate --coarse --seed 1 --store demo/day.gpkg | tee demo/summary.txt
echo
$godwit visits --store demo/day.gpkg
echo
$godwit destinations --store demo/day.gpkg
$godwit export gpx --store demo/day.gpkg --output demo/day.gpx
$godwit export geojson --store demo/day.gpkg --output demo/day.geojson
$godwit export svg --store demo/day.gpkg --output demo/day.svg
echo
$godwit trips --store demo/day.gpkg
echo
echo "demo/day.svg is a map of the day, for any browser; demo/day.gpkg opens in QGIS, and demo/day.gpx"
echo "and demo/day.geojson in any map."

visits=$($godwit visits --store demo/day.gpkg --json | grep -o '"arrival":' | wc -l)
share=$(sed -n 's/^GNSS was on \([0-9.]*\) %.*/\1/p' demo/summary.txt)
[ "$visits" -ge 1 ] || { echo "demo: no visit was found"; exit 1; }
echo "demo: $visits visits in a day with GNSS on $share % of the time"
