import Foundation

/// A receiver with a kernel driver: /dev/gnss0, whose power follows open and close. It is used,
/// released, unplugged and plugged in again.
struct GnssDeviceScenario: Scenario {
  let name = "gnss-device"

  func live(on bench: Bench) throws -> [Figure] {
    try StubMonitor.plugIn()
    try StubMonitor.bind()
    let usb = try UsbReceiver()
    try usb.plugIn(bench)
    try bench.startReceiver(
      ["--gadget", UsbReceiver.gadget, "--cold-start", "8"], device: UsbReceiver.device)
    let daemon = try GuestDaemon([
      "policy.name=periodic", "policy.periodic.interval_s=60", "power_switch.kind=gnss",
      "power_switch.supply=", "receiver.kind=gnss", "receiver.device=\(UsbReceiver.device)",
    ])
    sleep(600)
    try require(daemon.isAlive, "the daemon has ended")
    try bench.wait("a search", for: 120) { daemon.answer("gnss")?.string == "acquiring" }
    try usb.unplug()
    let unplugged = Kernel.uptime
    try bench.wait("a complaint", for: 120) { daemon.answer("receiver.failure")?.string != nil }
    let told = Kernel.uptime - unplugged
    sleep(120)
    try usb.plugIn(bench)
    let began = Kernel.uptime
    let fixes = daemon.answer("fixes.accepted")?.integer ?? 0
    try bench.wait("a fix", for: 300) { (daemon.answer("fixes.accepted")?.integer ?? 0) > fixes }
    let recovery = Kernel.uptime - began
    try daemon.stop()
    let ended = Kernel.uptime
    usleep(300_000)
    try bench.keepEvidence()
    try GuestDaemon.keepStore()
    return [
      .fact("ended", ended), .fact("boot date", Kernel.bootDate),
      Figure("said that the device is gone after", told, "s", atMost: 5),
      Figure("recovery after it was plugged in", recovery, "s", atMost: 120),
    ]
  }

  func judge(_ results: Results) throws -> [Figure] {
    let receiver = try results.receiver()
    let supplied = try receiver.supplied(until: results.value("ended"))
    let books = try StoredBooks(
      results.file("store.gpkg"), bootDate: try results.value("boot date"))
    let withFix = books.sessions.filter { $0.outcome == .fixObtained }
    let on = withFix.compactMap { session in
      session.on.flatMap { on in session.off.map { $0 - on } }
    }.reduce(0, +)
    return [
      Figure("times the device was open", Double(supplied.count), atLeast: 8),
      Figure("sessions with a fix", Double(withFix.count), atLeast: 8),
      Figure("their on-time", on, "s"),
    ] + DayScenario.silence(receiver)
  }
}
