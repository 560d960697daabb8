import Foundation
import Core
import ReceiverStandIns
import Store

/// The daemon at a place with a beacon received by BlueZ's bluetoothd: by discovery and then, with
/// experimental features enabled, by monitors. It enters and leaves, hardly wakes while nothing
/// changes, and neither a clock step nor a lost adapter makes it leave. The receiver provides the
/// date, without which crossings wait.
struct BeaconsScenario: Scenario {
  let name = "beacons"
  let travelsInTime = false
  let isMostlySilence = true
  let limit = 900
  /// Far from the receiver's position: a received beacon locates the board at its place all the
  /// same.
  private static let place =
    "places add Kitchen --at 10,10 --radius 15 --store \(GuestDaemon.store)"
    + " --socket \(GuestDaemon.socket)"
    + " --beacon ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/3"
  private static let settings = [
    "power_monitor.kind=none", "policy.name=periodic", "policy.periodic.interval_s=3600",
    "bluetooth.kind=bluez", "beacons.listen=always",
  ]

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "5"])
    let service = try BluetoothService()
    try service.start(isExperimental: false)
    let controller = try VirtualController()
    let daemon = try GuestDaemon(Self.settings)
    try bench.wait("the daemon", for: 30) { daemon.answer("beacons") != nil }
    try tool("sh", "-c", "\(Bench.godwit) \(Self.place)")
    try bench.wait("discovery", for: 30) {
      daemon.answer("beacons.method") == .string("discovery")
    }
    let entry = try enters(bench, daemon, controller)
    let shown = try show(daemon)
    // The search for a fix ends, and watching clients have disconnected.
    sleep(20)
    let discovering = try daemon.wakes { sleep(60) }
    let doctor = try examine("offers no monitors")

    try service.kill()
    try service.start(isExperimental: true)
    try bench.wait("monitors", for: 60) {
      daemon.answer("beacons.method") == .string("monitors")
    }
    sleep(30)
    try require(isInside(daemon), "with another bluetoothd it has left")
    let watching = try daemon.wakes { sleep(60) }
    _ = try examine("offers monitors")
    try tool("date", "-u", "-s", "2026-05-04 12:00:00")
    let withNewDate = try stays(daemon, for: 35)
    let before = Kernel.uptime
    controller.silence(3)
    try bench.wait("the departure", for: 90) { !isInside(daemon) }
    let departure = Kernel.uptime - before
    let again = try enters(bench, daemon, controller)
    controller.unplug()
    try bench.wait("the loss of the adapter", for: 20) {
      daemon.answer("beacons.failure")?.string?.contains("adapter") == true
    }
    let withoutAdapter = try stays(daemon, for: 35)
    try daemon.stop()
    try GuestDaemon.keepStore()
    return [
      Figure("by discovery it entered after", entry, "s", atMost: 6),
      Figure("beacons that godwit near shows", Double(shown), atMost: 1, atLeast: 1),
      Figure("checks of the doctor's that are good", Double(doctor), atLeast: 1),
      Figure("wakes in a minute by discovery", discovering, atMost: 200, atLeast: 30),
      Figure("wakes in a minute by monitors", watching, atMost: 10, isHeadline: true),
      Figure("after the date was set it was inside for", withNewDate, "s", atLeast: 35),
      Figure("by monitors it left after", departure, "s", atMost: 36, atLeast: 26),
      Figure("by monitors it entered after", again, "s", atMost: 6),
      Figure("without the adapter it was inside for", withoutAdapter, "s", atLeast: 35),
    ]
  }

  func judge(_ results: Results) throws -> [Figure] {
    let reader = try StoreReader(path: results.file("store.gpkg"))
    var rows = try reader.crossings()
    let changes = try rows.all().map(\.change)
    let entries = changes.count { $0 != .left }
    let departures = changes.count { $0 == .left }
    return [
      Figure("arrivals in the store", Double(entries), atMost: 2, atLeast: 2),
      Figure("departures in the store", Double(departures), atMost: 1, atLeast: 1),
    ]
  }

  private func isInside(_ daemon: GuestDaemon) -> Bool {
    let inside = daemon.answer("beacons.inside")?.array ?? []
    return inside.map { $0["name"] } == [.string("Kitchen")]
  }

  private func enters(
    _ bench: Bench, _ daemon: GuestDaemon, _ controller: VirtualController
  ) throws -> Double {
    let began = Kernel.uptime
    controller.send(.room(3))
    try bench.wait("the arrival", for: 60) { isInside(daemon) }
    return Kernel.uptime - began
  }

  /// - Returns: how long it was continuously inside, in seconds.
  private func stays(_ daemon: GuestDaemon, for seconds: Double) throws -> Double {
    let began = Kernel.uptime
    while Kernel.uptime - began < seconds, isInside(daemon) { sleep(1) }
    return Kernel.uptime - began
  }

  /// The output of `godwit near`.
  private func show(_ daemon: GuestDaemon) throws -> Int {
    let said = try tool(
      Bench.godwit, "near", "--for", "3", "--json", "--socket", GuestDaemon.socket)
    let last = try said.split(separator: "\n").last.required("godwit near is silent")
    let beacons = try JSONValue(parsing: last)["beacons"]?.array ?? []
    try require(
      beacons.first?["places"] == .array([.string("Kitchen")])
        && beacons.first?["strength_dBm"]?.number == -60, "godwit near: \(last)")
    return beacons.count
  }

  /// The doctor's report on Bluetooth.
  private func examine(_ words: String) throws -> Int {
    let file = "/run/doctor.toml"
    try "".write(toFile: file, atomically: false, encoding: .utf8)
    let process = try ChildProcess(
      Bench.godwit,
      [
        "doctor", "--listen", "0", "--config", file, "--board", "/run/board.toml", "--set",
        "control.group=root", "--set", "control.socket=\(GuestDaemon.socket)", "--set",
        "bluetooth.kind=bluez", "--set", "beacons.listen=always", "--store", GuestDaemon.store,
      ]
    ).required("the doctor does not start")
    _ = try process.exitCode(within: 120).required("the doctor does not end")
    let line = process.text.split(separator: "\n").first { $0.contains("bluetooth") }
    try require(
      line?.contains(words) == true && line?.contains("receives a beacon") == true,
      "the doctor: \(process.text)")
    return line?.hasPrefix("ok") == true ? 1 : 0
  }
}
