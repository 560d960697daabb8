#!/usr/bin/env bash
# uplink.sh PROGRAM [SECONDS]: what an uplink costs that stays connected when everything is said, with
# TLS and without, by MQTT and by HTTP (https-all: with all authorities of the system), by both at
# once, and the daemon that calls it. One figure to a line.
#
# A day of records goes to mosquitto and to a receiver of OwnTracks' HTTP mode, both on this machine,
# with certificates of an authority of our own. MQTT's keep-alive wakes the uplink twice a minute: when
# it asks and when the broker answers.
set -euo pipefail
source "$(dirname "$0")/measure.sh"

program=$1
seconds=${2:-181}
PATH=$PATH:/usr/sbin

fail() {
  echo "uplink.sh: $1" >&2
  tail -n 5 "$folder"/*.log >&2
  exit 1
}

# WHAT COMMAND...: until it is so, half a minute at most.
await() {
  local what=$1
  shift
  for _ in $(seq 150); do
    "$@" >/dev/null 2>&1 && return
    sleep 0.2
  done
  fail "no $what"
}

# NAME COMMAND...: in the background; `last` is its number.
start() {
  local name=$1
  shift
  "$@" >"$folder/$name.log" 2>&1 &
  last=$!
  children+=("$last")
}

certificates() {
  local key=(-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2)
  openssl req -x509 "${key[@]}" -keyout "$folder/ca.key" -out "$folder/ca.pem" -subj /CN=Benchmark
  openssl req -x509 "${key[@]}" -keyout "$folder/key.pem" -out "$folder/certificate.pem" \
    -subj /CN=localhost -CA "$folder/ca.pem" -CAkey "$folder/ca.key" \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -addext basicConstraints=CA:FALSE
}

free_ports() {
  python3 -c '
import socket, sys
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(one.getsockname()[1] for one in sockets))' "$1"
}

listens() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); }

brokers() {
  cat >"$folder/mosquitto.conf" <<CONF
user $(id -un)
log_type error
allow_anonymous true
max_queued_messages 0
listener $plain_port 127.0.0.1
listener $secure_port 127.0.0.1
certfile $folder/certificate.pem
keyfile $folder/key.pem
CONF
  start mosquitto mosquitto -c "$folder/mosquitto.conf"
  await "mosquitto" listens "$secure_port"
  # MQTT 5 says where nobody listens, and everything would wait.
  start subscriber mosquitto_sub -V 5 -q 1 -p "$plain_port" -t '#' -F %t
}

# As OwnTracks' Recorder answers, at two ports.
receivers() {
  start receiver python3 -c '
import http.server, ssl, sys, threading

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1

    def log_message(self, *words):
        pass

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"[]")

folder, plain, secure = sys.argv[1:]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(f"{folder}/certificate.pem", f"{folder}/key.pem")
servers = [http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Handler)
           for port in (plain, secure)]
servers[1].socket = context.wrap_socket(servers[1].socket, server_side=True)
for server in servers:
    threading.Thread(target=server.serve_forever).start()
' "$folder" "$web_port" "$secure_web_port"
  await "receiver" listens "$secure_web_port"
}

# NAME, and a section of settings: an uplink that stays, with a name and an outbox of its own.
settings() {
  cat >"$folder/$1.toml" <<CONF
[device]
name = "$1"
[store]
path = "$folder/track.gpkg"
[control]
socket = "$folder/control"
[uplink]
path = "$folder/$1.db"
socket = "$folder/$1.call"
user = "ann"
delay_s = 0
$2
CONF
}

says_all() {
  local status
  status=$("$program" uplink status --config "$folder/$1.toml")
  [[ $status == *": 0 wait"* ]] && ! grep -q ': [1-9][0-9]* wait' <<<"$status"
}

for tool in mosquitto mosquitto_sub openssl python3; do
  command -v "$tool" >/dev/null || { echo "idle uplink: SKIPPED, $tool is not installed"; exit 0; }
done
certificates 2>"$folder/certificates.log" || fail "no certificates"
read -r plain_port secure_port web_port secure_web_port <<<"$(free_ports 4)"
brokers
receivers
# What libcurl reads, and keeps for a day, where no ca_file is given; OpenSSL alone looks one up.
cat "$folder/ca.pem" /etc/ssl/certs/ca-certificates.crt >"$folder/all.pem" 2>/dev/null || true
mqtts="[uplink.mqtt]
brokers = [\"mqtts://localhost:$secure_port\"]
ca_file = \"$folder/ca.pem\""
https="[uplink.owntracks_http]
url = \"https://localhost:$secure_web_port/pub\""
names=(mqtts mqtt https https-all http both)
settings mqtts "$mqtts"
settings mqtt "[uplink.mqtt]
brokers = [\"mqtt://localhost:$plain_port\"]"
settings https "$https
ca_file = \"$folder/ca.pem\""
settings https-all "$https
ca_file = \"$folder/all.pem\""
settings http "[uplink.owntracks_http]
url = \"http://localhost:$web_port/pub\""
settings both "$https
ca_file = \"$folder/all.pem\"
$mqtts"

"$program" simulate --seed 1 --store "$folder/track.gpkg" >/dev/null
start daemon "$program" run --config "$folder/mqtts.toml" --set receiver.kind=none \
  --set network.kind=none --set wifi.kind=none
await "daemon" test -S "$folder/control"
figures=(daemon "$last")
for name in "${names[@]}"; do
  # The first run makes the outbox; nothing is owed then.
  { "$program" uplink run --config "$folder/$name.toml" &&
    "$program" uplink queue --config "$folder/$name.toml" --from 2000-01-01T00:00:00Z; } \
    >"$folder/queue.log" 2>&1 || fail "nothing can be queued"
  start "$name" "$program" uplink run --service --config "$folder/$name.toml"
  figures+=("$name" "$last")
done
for name in "${names[@]}"; do await "end of what waits by $name" says_all "$name"; done
# A keep-alive later everything has settled.
sleep 65
measure "$seconds" "${figures[@]}"
