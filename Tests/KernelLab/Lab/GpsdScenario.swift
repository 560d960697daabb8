import Foundation
import ReceiverStandIns

/// Debian's gpsd owns the receiver, and the daemon cuts its power between searches: gpsd must
/// release the device before every cut, and must not lose it by the cut.
struct GpsdScenario: Scenario {
  let name: String
  /// gpsd's options besides the control socket and the device.
  let options: String
  static let sessions = 8

  func live(on bench: Bench) throws -> [Figure] {
    try bench.assemble(receiver: ["--cold-start", "8"])
    // gpsd opens its device as user gpsd, which is in the group of a real serial line.
    try tool("chmod", "666", "/dev/gnss-receiver")
    let gpsd = try ChildProcess(
      "/bin/sh",
      [
        "-c",
        "exec /usr/sbin/gpsd -N -D 3 -F /run/gpsd.sock \(options) /dev/gnss-receiver"
          + " >\(Bench.results)/gpsd.log 2>&1",
      ]
    ).required("gpsd does not start")
    try bench.wait("gpsd's control socket", for: 10) { access("/run/gpsd.sock", F_OK) == 0 }
    let daemon = try GuestDaemon([
      "policy.name=periodic", "policy.periodic.interval_s=120", "receiver.kind=gpsd",
      "receiver.gpsd_control=/run/gpsd.sock",
    ])
    sleep(UInt32(120 * Self.sessions))
    try require(daemon.isAlive, "the daemon has ended")
    try require(gpsd.exitCode(within: 0) == nil, "gpsd has ended")
    let failure = daemon.answer("receiver.failure")
    try require(failure == .null, "the daemon says of gpsd: \(String(describing: failure))")
    try daemon.stop()
    let ended = Kernel.uptime
    gpsd.signal(SIGTERM)
    _ = gpsd.exitCode()
    try bench.keepEvidence()
    try GuestDaemon.keepStore()
    return [.fact("ended", ended), .fact("boot date", Kernel.bootDate)]
  }

  func judge(_ results: Results) throws -> [Figure] {
    let receiver = try results.receiver()
    let line = try results.lines().high(Bench.supply)
    let books = try StoredBooks(
      results.file("store.gpkg"), bootDate: try results.value("boot date"))
    let withFix = books.sessions.count { $0.outcome == .fixObtained }
    // The log shows the port's state right after the line fell.
    let falls = receiver.entries.indices.filter {
      receiver.entries[$0].event == "line" && receiver.entries[$0].value == "0"
        && receiver.entries[$0].time > (line.first?.lowerBound ?? 0)
    }
    let held = falls.count { receiver.entries[$0 + 1].value == "held" }
    return [
      Figure("times the line was high", Double(line.count), atLeast: Double(Self.sessions - 1)),
      Figure("sessions with a fix", Double(withFix), atLeast: Double(Self.sessions - 2)),
      Figure("cuts under gpsd's hands", Double(held), atMost: 0),
      Figure("bytes of the receiver that gpsd missed", Double(receiver.bytesUnheard)),
    ] + DayScenario.silence(receiver)
  }
}
