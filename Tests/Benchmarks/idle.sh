#!/usr/bin/env bash
# idle.sh PROGRAM [SECONDS]: what an idle daemon costs, beside gpsd. One figure to a line.
#
# Both run without a receiver that speaks: godwit with GNSS off, gpsd with no client, so that it has
# closed its device.
set -euo pipefail
source "$(dirname "$0")/measure.sh"

program=$1
seconds=${2:-60}

milliseconds() { echo $((($(date +%s%N) - $1) / 1000000)); }

# NAME SETTING...: a daemon with GNSS off.
begin() {
  local name=$1 begin
  shift
  begin=$(date +%s%N)
  "$program" run --config "$folder/empty.toml" --board "$folder/empty.toml" \
    --store "$folder/$name.gpkg" --socket "$folder/$name" \
    --set receiver.kind=none "$@" 2>"$folder/messages" &
  daemon=$!
  children+=("$daemon")
  until [ -S "$folder/$name" ]; do
    kill -0 "$daemon" || { cat "$folder/messages"; exit 1; }
  done
  echo "idle $name start: $(milliseconds "$begin") ms until its socket is there"
  # Until it has asked its sources, and has given back what that took.
  sleep 12
}

touch "$folder/empty.toml"
begin godwit --set network.kind=none --set wifi.kind=none
measure "$seconds" godwit "$daemon"

# BUS is a program that keeps a bus with NetworkManager, ModemManager and GeoClue2.
if [ -n "${BUS:-}" ]; then
  mkfifo "$folder/end"
  "$BUS" <"$folder/end" >"$folder/bus" &
  children+=($!)
  exec 8>"$folder/end"
  until [ -s "$folder/bus" ]; do kill -0 "${children[1]}" || exit 1; sleep 0.1; done
  export DBUS_SYSTEM_BUS_ADDRESS
  DBUS_SYSTEM_BUS_ADDRESS=$(cat "$folder/bus")
  begin sources --set wifi.kind=network-manager --set cell.kind=modem-manager \
    --set geoclue.kind=geoclue2 --set lookup.url=http://127.0.0.1:1/
  measure "$seconds" sources "$daemon"
  unset DBUS_SYSTEM_BUS_ADDRESS
fi

if gpsd=$(PATH=$PATH:/usr/sbin command -v gpsd); then
  "$gpsd" -N -S 29470 /dev/null 2>/dev/null &
  children+=($!)
  sleep 1
  measure "$seconds" gpsd $!
else
  echo "idle gpsd: SKIPPED, not installed"
fi
