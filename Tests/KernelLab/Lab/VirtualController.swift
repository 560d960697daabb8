import Foundation
import Synchronization

/// A Bluetooth controller that the kernel treats as hardware (drivers/bluetooth/hci_vhci.c), and
/// the beacons around it.
///
/// BlueZ's own btvirt is not suitable: it sends an advertisement once, when the advertiser or the
/// scanner starts (emulator/btdev.c, le_set_adv_enable_complete), with an unknown strength. This
/// one receives each beacon repeatedly at its given strength, and only while the kernel lets its
/// receiver be on. It supports only LE, and no connections.
final class VirtualController: Sendable {
  struct Beacon {
    /// Last byte of the device's random static address.
    var number: UInt8
    var data: [UInt8]
    /// In seconds, plus up to 10 ms each time (Core Specification 5.4, volume 6, part B, 4.4.2.2).
    var period = 1.0
    /// 127: unknown.
    var strength: Int8 = -60
  }

  /// The scan parameters set by the kernel.
  struct Scan: Equatable {
    var isOn = false
    var isActive = false
    /// In seconds.
    var interval = 0.01
    var window = 0.01

    var duty: Double { isOn ? window / interval : 0 }
  }

  fileprivate struct State {
    var beacons: [UInt8: (beacon: Beacon, next: Double)] = [:]
    var scan = Scan()
    var turned = Kernel.uptime
    var received = 0.0
    var isOver = false
    /// The same in every run.
    var chance = SeededChance(seed: 1)
  }

  private let device: Int32
  private let state = Mutex(State())
  private let end = DispatchSemaphore(value: 0)

  /// Plugs it in.
  init() throws {
    try tool("modprobe", "-d", Bench.kernel, "hci_vhci")
    device = open("/dev/vhci", O_RDWR | O_CLOEXEC)
    try require(device >= 0, "/dev/vhci cannot be opened")
    // A vendor packet with the type of the controller: a primary one.
    try require(write(device, [0xff, 0x00], 2) == 2, "the kernel takes no virtual controller")
    Thread.detachNewThread { [self] in
      serve()
      end.signal()
    }
  }

  /// Removes the adapter.
  func unplug() {
    state.withLock { $0.isOver = true }
    end.wait()
    close(device)
  }

  func send(_ beacon: Beacon) {
    state.withLock { $0.beacons[beacon.number] = (beacon, Kernel.uptime) }
  }

  func silence(_ number: UInt8) { state.withLock { $0.beacons[number] = nil } }

  var scan: Scan { state.withLock(\.scan) }

  /// Total time that its receiver was on, in seconds.
  var received: Double { state.withLock { $0.receivedNow } }

  // MARK: Events

  private func serve() {
    while !state.withLock(\.isOver) {
      var entry = pollfd(fd: device, events: Int16(POLLIN), revents: 0)
      poll(&entry, 1, state.withLock { $0.pause })
      if entry.revents & Int16(POLLIN) != 0 { receive() }
      for report in state.withLock({ $0.reports() }) { emit(0x3e, report) }
    }
  }

  private func receive() {
    var packet = [UInt8](repeating: 0, count: 1024)
    let count = read(device, &packet, packet.count)
    // A command packet; the kernel's other packets concern connections and itself.
    guard count >= 4, packet[0] == 0x01 else { return }
    let parameters = Array(packet[4..<max(4, count)])
    let answer = state.withLock { $0.answer(to: packet.number(1), parameters) }
    // Command complete: one more may be sent.
    emit(0x0e, [1, packet[1], packet[2]] + answer)
  }

  private func emit(_ event: UInt8, _ parameters: [UInt8]) {
    let packet = [0x04, event, UInt8(parameters.count)] + parameters
    _ = write(device, packet, packet.count)
  }
}

extension VirtualController.State {
  var receivedNow: Double { received + (Kernel.uptime - turned) * scan.duty }

  /// Milliseconds until the next advertisement or the next check for changes.
  var pause: Int32 {
    let next = beacons.values.map(\.next).min() ?? .infinity
    return Int32(max(0, min(50, ((next - Kernel.uptime) * 1000).rounded(.up))))
  }

  /// Reports of the beacons that send now (LE Advertising Report, 7.7.65.2).
  mutating func reports() -> [[UInt8]] {
    var reports: [[UInt8]] = []
    let now = Kernel.uptime
    for (number, one) in beacons where one.next <= now {
      beacons[number]?.next = max(now, one.next + one.beacon.period) + chance.next() * 0.01
      let phase = now.truncatingRemainder(dividingBy: scan.interval)
      guard scan.isOn, phase < scan.window else { continue }
      let beacon = one.beacon
      // Not connectable, with a random address.
      reports.append(
        [0x02, 1, 0x03, 1, number, 0, 0, 0, 0, 0xc0, UInt8(beacon.data.count)] + beacon.data
          + [UInt8(bitPattern: beacon.strength)])
    }
    return reports
  }

  /// Core Specification 5.4, volume 4, part E, section 7: the kernel's requests to an LE-only
  /// controller (net/bluetooth/hci_sync.c). All other commands succeed.
  mutating func answer(to command: UInt16, _ parameters: [UInt8]) -> [UInt8] {
    switch command {
    case 0x0c03: turn(VirtualController.Scan())
    // Version 4.2.
    case 0x1001: return [0, 8, 0, 0, 8, 0xff, 0xff, 0, 0]
    case 0x1002: return [UInt8](repeating: 0, count: 65)
    // LE without BR/EDR.
    case 0x1003: return [0, 0, 0, 0, 0, 0x60, 0, 0, 0]
    case 0x1009: return [0, 0x42, 0, 0, 1, 0xaa, 0]
    // Eight packets of 251 bytes.
    case 0x2002: return [0, 251, 0, 8]
    case 0x2003, 0x201c: return [UInt8](repeating: 0, count: 9)
    case 0x200b where parameters.count >= 5:
      var next = scan
      next.isActive = parameters[0] == 1
      next.interval = Double(parameters.number(1)) * 0.000_625
      next.window = Double(parameters.number(3)) * 0.000_625
      turn(next)
    case 0x200c where parameters.count >= 1:
      var next = scan
      next.isOn = parameters[0] == 1
      turn(next)
    default: break
    }
    return [0]
  }

  private mutating func turn(_ next: VirtualController.Scan) {
    received = receivedNow
    turned = Kernel.uptime
    scan = next
  }
}

extension [UInt8] {
  fileprivate func number(_ index: Int) -> UInt16 {
    UInt16(self[index]) | UInt16(self[index + 1]) << 8
  }
}

/// Numbers from 0 to 1, the same in every run.
private struct SeededChance {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// Knuth's MMIX.
  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Double(state >> 11) * 0x1p-53
  }
}
