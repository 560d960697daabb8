import RadioSignals
import Hardware
import Foundation
import Core
import Ports

/// BlueZ's own bluetoothd on a controller simulated by the laboratory, and the radio port on it: by
/// discovery, as Debian starts bluetoothd, and by monitors, with experimental features enabled. At
/// first there is neither a service nor an adapter; both disappear and come back.
///
/// Behaviour of BlueZ 5.66 (src/adv_monitor.c, src/device.c): a strength of 127 (unknown) counts as
/// above every threshold. A device is found with the first advertisement that is `RSSIHighTimeout`
/// younger than another one, unless two consecutive ones in between are further apart. After it
/// falls silent, either it is lost after `RSSILowTimeout` or its object is removed after
/// `TemporaryTimeout`, both half a minute, and the first of the two suppresses the report of the
/// other. Without power or adapter, all found devices are gone at once. The end of a registration
/// is reported by `Release`, which arrives after the next one was requested.
struct BluetoothScenario: Scenario {
  let name = "bluetooth"
  let travelsInTime = false
  let isMostlySilence = true
  let limit = 900

  func live() throws -> [Figure] {
    try tool("date", "-u", "-s", "2026-05-04 00:00:00")
    let radio = BlueZRadio(BluetoothSettings(), leastStrength: -85)
    let ear = BeaconEar(radio)
    radio.listen(for: [.building, .tags])
    radio.scan(true)
    let service = try BluetoothService()
    try ear.fails("service is not running", within: 20)
    let discovery = try discover(radio, ear, service)
    let monitors = try watch(radio, ear, service)
    return discovery + monitors
  }

  // MARK: Discovery

  private func discover(
    _ radio: BlueZRadio, _ ear: BeaconEar, _ service: BluetoothService
  ) throws -> [Figure] {
    try service.start(isExperimental: false)
    try ear.fails("BlueZ has no adapter", within: 20)
    var controller = try VirtualController()
    let began = try ear.hears(.listening(true), within: 20)
    try require(radio.method == .discovery, "it listens by \(String(describing: radio.method))")
    controller.send(.room(3, strength: -61))
    let heard = try ear.hears(.received(.room(3), -61), within: 10)
    controller.send(.room(3, strength: -64))
    try ear.hears(.received(.room(3), -64), within: 10)
    controller.send(.room(3, strength: 127))
    try ear.hears(.received(.room(3), 127), within: 10)
    controller.send(.tag)
    try ear.hears(.received(.tag, -70), within: 10)
    try require(controller.scan.isActive, "discovery scans passively: \(controller.scan)")
    ear.forget()
    let error = try errorOfBooks(radio, controller) { try ear.listen(for: 10) }
    let told = ear.heard.count { if case .received = $0 { true } else { false } }

    radio.scan(false)
    try ear.hears(.listening(false), within: 10)
    try ear.listen(for: 1)
    let isDiscovering = try service.isDiscovering()
    try require(!isDiscovering && !controller.scan.isOn, "it scans on: \(controller.scan)")
    ear.forget()
    try ear.listen(for: 10)
    let idle = ear.wakes
    radio.scan(true)
    try ear.hears(.listening(true), within: 10)

    ear.forget()
    controller.unplug()
    try ear.hears(.listening(false), within: 10)
    try ear.listen(for: 5)
    let complaints = ear.failures.count { $0.contains("adapter has disappeared") }
    controller = try VirtualController()
    let again = try ear.hears(.listening(true), within: 20)
    controller.send(.room(3))
    try ear.hears(.received(.room(3), -60), within: 10)
    controller.unplug()
    try ear.hears(.listening(false), within: 10)
    return [
      Figure("discovery began after", began, "s", atMost: 15),
      Figure("an iBeacon was heard after", heard, "s", atMost: 3),
      Figure("told in ten seconds of two beacons", Double(told), atMost: 25, atLeast: 15),
      Figure("the receiver's time in the books, error", error, "%", within: 5),
      Figure("wakes in ten seconds of rest", Double(idle), atMost: 2),
      Figure(
        "times it was told that the adapter is gone", Double(complaints), atMost: 1, atLeast: 1),
      Figure("discovery with the adapter again after", again, "s", atMost: 15),
    ]
  }

  /// The error, in percent, of the radio's estimate of its receive time.
  private func errorOfBooks(
    _ radio: BlueZRadio, _ controller: VirtualController, while body: () throws -> Void
  ) throws -> Double {
    let (said, truth) = (radio.listened.value, controller.received)
    try body()
    let took = controller.received - truth
    return (radio.listened.value - said - took) / took * 100
  }

  // MARK: Monitors

  private func watch(
    _ radio: BlueZRadio, _ ear: BeaconEar, _ service: BluetoothService
  ) throws -> [Figure] {
    radio.scan(false)
    ear.forget()
    try service.kill()
    try ear.fails("service is not running", within: 10)
    try ear.listen(for: 5)
    // The loss of the adapter may be reported only now.
    let complaints = ear.failures.count { !$0.contains("adapter has disappeared") }
    let controller = try VirtualController()
    try service.start(isExperimental: true)
    let began = try ear.hears(.listening(true), within: 30)
    try require(radio.method == .monitors, "it listens by \(String(describing: radio.method))")
    try ear.listen(for: 2)
    let scan = controller.scan
    try require(scan.isOn && !scan.isActive, "monitors scan like \(scan)")
    var figures = [
      Figure(
        "times it was told that the service is gone", Double(complaints), atMost: 1, atLeast: 1),
      Figure("monitors were active after", began, "s", atMost: 20),
      Figure("of the time the receiver is on", scan.duty * 100, "%", atMost: 50, atLeast: 50),
    ]
    figures += try find(radio, ear, controller)
    figures += try interrupt(radio, ear, controller, service)
    return figures
  }

  private func find(
    _ radio: BlueZRadio, _ ear: BeaconEar, _ controller: VirtualController
  ) throws -> [Figure] {
    controller.send(.room(9, strength: -95))
    controller.send(.stranger)
    try ear.listen(for: 10)
    try require(
      !ear.heard.contains { if case .found = $0 { true } else { false } },
      "too weak, or a stranger: \(ear.heard)")
    controller.silence(9)
    controller.send(.room(3, strength: -61))
    let found = try ear.hears(.found(.room(3), -61), within: 60)
    controller.send(.tag)
    let tag = try ear.hears(.found(.tag, -70), within: 60)
    controller.send(.room(4, strength: 127))
    let unknown = try ear.hears(.found(.room(4), 127), within: 60)
    controller.send(.room(5, period: 2))
    let slow = try ear.hears(.found(.room(5), -60), within: 120)
    ear.forget()
    let error = try errorOfBooks(radio, controller) { try ear.listen(for: 60) }
    try require(ear.heard.isEmpty, "while all stays as it is: \(ear.heard)")
    let calm = ear.wakes
    controller.silence(3)
    let lost = try ear.hears(.lost(BeaconFrame.room(3).beacon), within: 60)
    return [
      Figure("an iBeacon was found after", found, "s", atMost: 30),
      Figure("an Eddystone was found after", tag, "s", atMost: 30),
      Figure("one of unknown strength was found after", unknown, "s", atMost: 30),
      Figure("one that sends every two seconds was found after", slow, "s", atMost: 60),
      Figure("wakes in a minute near four beacons", Double(calm), atMost: 4, isHeadline: true),
      Figure("the receiver's time in the books then, error", error, "%", within: 5),
      Figure("the loss was told after", lost, "s", atMost: 34, atLeast: 26, isHeadline: true),
    ]
  }

  // MARK: Interruptions

  private func interrupt(
    _ radio: BlueZRadio, _ ear: BeaconEar, _ controller: VirtualController,
    _ service: BluetoothService
  ) throws -> [Figure] {
    // Backwards: timers on the old date would expire in a year.
    let date = try isFoundAgain(radio, ear) {
      try tool("date", "-u", "-s", "2025-05-04 00:00:00")
      radio.dateWasSet()
    }
    let change = try isFoundAgain(radio, ear) {
      radio.listen(for: [.building])
      radio.listen(for: [.tags, .building])
      radio.listen(for: [.tags])
    }
    let restart = try isFoundAgain(radio, ear) { radio.restart() }
    let power = try isFoundAgain(radio, ear) {
      try service.setPower(false)
      try ear.fails("switched off", within: 5)
      try service.setPower(true)
    }
    let death = try isFoundAgain(radio, ear) {
      try service.kill()
      try service.start(isExperimental: true)
    }
    var next: VirtualController?
    let unplugging = try isFoundAgain(radio, ear) {
      controller.unplug()
      try ear.hears(.listening(false), within: 10)
      next = try VirtualController()
      next?.send(.tag)
    }
    next?.unplug()
    return [
      Figure("after the date was set it was found again in", date, "s", atMost: 30),
      Figure("after three changes of what counts", change, "s", atMost: 30),
      Figure("after a restart of the radio", restart, "s", atMost: 30),
      Figure("after somebody switched it off and on", power, "s", atMost: 30),
      Figure("after bluetoothd's death", death, "s", atMost: 40),
      Figure("after the adapter", unplugging, "s", atMost: 40),
    ]
  }

  /// An interruption loses nothing: the radio only does not listen for a while.
  private func isFoundAgain(
    _ radio: BlueZRadio, _ ear: BeaconEar, after interruption: () throws -> Void
  ) throws -> Double {
    ear.forget()
    let began = Kernel.uptime
    try interruption()
    try ear.hears(.found(.tag, -70), within: 60)
    try require(radio.method == .monitors, "it listens by \(String(describing: radio.method))")
    try require(
      !ear.heard.contains { if case .lost = $0 { true } else { false } },
      "something was lost: \(ear.heard)")
    return Kernel.uptime - began
  }
}
