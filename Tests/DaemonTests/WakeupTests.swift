import Foundation
import Core
import ReceiverStandIns
import TestSupport
import Testing

/// The energy cost of faults: every fault has its own daemon, and the wake-ups of all are counted
/// over the same few seconds. Without valid data nothing needs to wake them.
@Suite(.serialized) struct WakeupTests {
  /// A daemon with its fault, and the object that maintains the fault.
  private struct Case {
    let name: String
    let daemon: LiveDaemon
    var props: [Any] = []
  }

  private static let window = 4.0  // s
  /// Reading the counter wakes the daemon for the old connection's end, the new one and the
  /// request.
  private static let asking = 3

  private func daemon(
    _ settings: [String], store: String? = nil, environment: [String] = [], room: Int32? = nil
  ) throws -> LiveDaemon {
    let folder = try ScratchFolder()
    return try LiveDaemon(
      in: folder, settings: ["policy.name=continuous", "store.commit_interval_s=0"] + settings,
      store: store.map { folder.file($0) }, environment: environment, room: room)
  }

  private func receiverFaults() throws -> [Case] {
    let silent = Pseudoterminal()
    var unplugged: Pseudoterminal? = Pseudoterminal()
    let gone = try daemon(["receiver.device=\(unplugged?.link ?? "")", "receiver.baud=9600"])
    unplugged = nil
    let mute = FakeGpsd()
    let hanging = FakeGpsd(hanging: true)
    func gpsd(_ port: UInt16) throws -> LiveDaemon {
      try daemon(["receiver.kind=gpsd", "receiver.host=127.0.0.1", "receiver.port=\(port)"])
    }
    return [
      Case(
        name: "a receiver that says nothing",
        daemon: try daemon(["receiver.device=\(silent.link)", "receiver.baud=9600"]),
        props: [silent]),
      Case(name: "a receiver that was unplugged", daemon: gone),
      Case(name: "no receiver", daemon: try daemon(["receiver.device=/dev/godwit-is-nowhere"])),
      Case(name: "no gpsd", daemon: try gpsd(FakeGpsd.freePort())),
      Case(name: "a gpsd that says nothing", daemon: try gpsd(mute.port), props: [mute]),
      Case(name: "a gpsd out of reach", daemon: try gpsd(hanging.port), props: [hanging]),
    ]
  }

  private func hardwareFaults() throws -> [Case] {
    let none = "receiver.device=/dev/godwit-is-nowhere"
    return [
      Case(
        name: "no power switch",
        daemon: try daemon([none, "power_switch.kind=gpio", "power_switch.supply=GODWIT_NOWHERE"])),
      Case(
        name: "no power monitor",
        daemon: try daemon([
          none, "power_monitor.kind=hwmon", "power_monitor.address=0x4f",
        ])),
    ]
  }

  private func storeFaults() throws -> [Case] {
    let locked = try daemon(["receiver.kind=none"])
    let lock = try WriteLock(locked.store)
    _ = try locked.ask("gnss", ("state", "on"))
    return [
      Case(
        name: "no folder for the store",
        daemon: try daemon(["receiver.kind=none"], store: "nowhere/store.gpkg")),
      Case(name: "a store that is locked", daemon: locked, props: [lock]),
    ]
  }

  private func readerFaults() throws -> [Case] {
    func stuffed(_ counter: String, room: Int32? = nil) throws -> LiveDaemon {
      let daemon = try daemon(
        ["receiver.kind=none"], environment: ["WATCHDOG_USEC=60000000"], room: room)
      for _ in 0..<1000 where try daemon.status().at(counter)?.integer == 0 {
        daemon.process.signal(SIGHUP)
      }
      #expect(try daemon.status().at(counter)?.integer ?? 0 > 0)
      return daemon
    }
    let short = try daemon(["receiver.kind=none"])
    try short.limitDescriptors(toFurther: 3)
    let crowd = try Crowd(short.socket, 24)
    let stormed = try daemon(["receiver.kind=none"])
    for _ in 0..<50 { _ = try Crowd(stormed.socket, 20) }
    return [
      Case(
        name: "nobody reads standard error",
        daemon: try stuffed("service.dropped_messages", room: 4096)),
      Case(
        name: "nobody reads the notices", daemon: try stuffed("service.dropped_notices")),
      Case(name: "no descriptor is left", daemon: short, props: [crowd]),
      Case(name: "a storm of clients is over", daemon: stormed),
      Case(
        name: "a watchdog's time that is none",
        daemon: try daemon(["receiver.kind=none"], environment: ["WATCHDOG_USEC=0"])),
    ]
  }

  @Test("no fault wakes the daemon more than once per second")
  func faultsLetItSleep() throws {
    let cases = try receiverFaults() + hardwareFaults() + storeFaults() + readerFaults()
    func wakeups() throws -> [Int] {
      try cases.map { try $0.daemon.status().at("service.wakeups")?.integer ?? .max }
    }
    let before = try wakeups()
    #expect(cases[0].daemon.process.exitCode(within: Self.window) == nil)
    let after = try wakeups()
    for (index, one) in cases.enumerated() {
      let woken = max(0, after[index] - before[index] - Self.asking)
      #expect(woken <= Int(Self.window * timeFactor), "\(one.name): \(woken) wake-ups")
    }
  }
}
