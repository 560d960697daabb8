import Core

#if canImport(Glibc)
  import Glibc
#endif

/// UBX frames of a u-blox 8: NAV-PVT for every epoch, NAV-SAT in epochs with signals, ACK-ACK for
/// every configuration message but a reset, which newer firmware does not acknowledge (u-blox 8 /
/// M8 Receiver description, UBX-13003221, chapters 32.17.14, 32.17.20, 32.8 and "UBX-CFG-RST").
enum UBXMessages {
  static func say(_ epoch: ReceiverEpoch, to bytes: inout [UInt8]) {
    let civil = CivilTime(epoch.time)
    let solution = epoch.solution
    var frame = Frame(class: 0x01, id: 0x07, length: 92)
    frame.u4(timeOfWeek(epoch))
    frame.u2(epoch.knowsTime ? civil.year : 2015)
    for part in [civil.month, civil.day, civil.hour, civil.minute, civil.second] {
      frame.u1(epoch.knowsTime ? part : 0)
    }
    // validDate, validTime, fullyResolved
    frame.u1(epoch.knowsTime ? 0b111 : 0)
    frame.u4(epoch.knowsTime ? 30 : 4_294_967_295)
    frame.i4(Double(civil.nanosecond))
    frame.u1(solution == nil ? 0 : 3)
    frame.u1(solution == nil ? 0 : 1)  // gnssFixOK
    frame.u1(0)
    frame.u1(epoch.reception.used)
    encode(solution, to: &frame)
    motion(solution, to: &frame)
    frame.u2(Int(epoch.reception.pdop * 100))
    frame.zeros(14)
    frame.finish(to: &bytes)
    if let signals = epoch.signals { encode(signals, epoch, to: &bytes) }
  }

  private static func encode(
    _ signals: [ReceivedSignal], _ epoch: ReceiverEpoch, to bytes: inout [UInt8]
  ) {
    var frame = Frame(class: 0x01, id: 0x35, length: 8 + 12 * signals.count)
    frame.u4(timeOfWeek(epoch))
    frame.u1(1)
    frame.u1(signals.count)
    frame.zeros(2)
    for (rank, signal) in signals.enumerated() {
      let satellite = signal.satellite
      frame.u1(satellite.isGlonass ? 6 : 0)
      frame.u1(satellite.isGlonass ? satellite.number - 64 : satellite.number)
      frame.u1(signal.strength)
      frame.u1(satellite.elevation)
      frame.u2(satellite.azimuth)
      frame.u2(0)
      // Code and carrier locked, time synchronised; used in the position.
      frame.u4(7 | (rank < epoch.reception.used ? 1 << 3 : 0))
    }
    frame.finish(to: &bytes)
  }

  private static func encode(_ solution: ReceiverEpoch.Solution?, to frame: inout Frame) {
    let altitude = solution?.altitude ?? 0
    frame.i4((solution?.longitude ?? 0) * 1e7)
    frame.i4((solution?.latitude ?? 0) * 1e7)
    frame.i4((altitude + (solution == nil ? 0 : ReceiverEpoch.geoidSeparation)) * 1000)
    frame.i4(altitude * 1000)
    // hAcc is the radius of both horizontal directions together.
    let sigma = solution?.sigma ?? 4_294_967
    frame.u4(Int(min(sigma * 2.0.squareRoot() * 1000, 4_294_967_295)))
    frame.u4(Int(min(sigma * 1.6 * 1000, 4_294_967_295)))
  }

  private static func motion(_ solution: ReceiverEpoch.Solution?, to frame: inout Frame) {
    let speed = solution?.speed ?? 0
    let course = (solution?.track ?? 0) * .pi / 180
    frame.i4(speed * cos(course) * 1000)
    frame.i4(speed * sin(course) * 1000)
    frame.i4(0)
    frame.i4(speed * 1000)
    frame.i4((solution?.track ?? 0) * 1e5)
    frame.u4(solution == nil ? 20_000 : 300)
    frame.u4(solution == nil ? 18_000_000 : 1_000_000)
  }

  /// Milliseconds of the GPS week. GPS began on 1980-01-06 and is 18 s ahead of UTC since 2017. The
  /// receiver's own clock runs from the first second, even if it is not set.
  private static func timeOfWeek(_ epoch: ReceiverEpoch) -> Int {
    let own = timeOfWeek(epoch.time)
    return epoch.knowsTime ? own : (own + unsetClock) % 604_800_000
  }

  /// The offset of the unset clock in milliseconds.
  private static let unsetClock = 123_456_000

  static func timeOfWeek(_ time: UTCInstant) -> Int {
    let milliseconds = Int(time.nanoseconds / 1_000_000) - 315_964_800_000 + 18_000
    return milliseconds % 604_800_000
  }

  /// UBX-CFG-RST: bit 0 of its mask is the ephemeris, all bits together are everything. Modes 8 and
  /// 9 stop and start GNSS and discard nothing.
  static func restart(_ command: [UInt8]) -> StartKind? {
    guard command.count == 12, command.starts(with: [0xB5, 0x62, 0x06, 0x04, 4, 0]),
      command[8] < 8
    else { return nil }
    if command[6] == 0xFF, command[7] == 0xFF { return .cold }
    return command[6] & 1 == 1 ? .warm : .hot
  }

  /// ACK-ACK for each complete CFG frame (class 0x06) in the command except CFG-RST.
  static func answer(_ command: [UInt8], to bytes: inout [UInt8]) {
    var index = 0
    while index + 8 <= command.count {
      guard command[index] == 0xB5, command[index + 1] == 0x62 else {
        index += 1
        continue
      }
      let length = Int(command[index + 4]) | Int(command[index + 5]) << 8
      guard index + 8 + length <= command.count else { return }
      if command[index + 2] == 0x06, command[index + 3] != 0x04 {
        var frame = Frame(class: 0x05, id: 0x01, length: 2)
        frame.u1(0x06)
        frame.u1(Int(command[index + 3]))
        frame.finish(to: &bytes)
      }
      index += 8 + length
    }
  }

  /// Sync characters, class, id, length, payload, and the 8-bit Fletcher checksum of RFC 1145.
  private struct Frame {
    private var bytes: [UInt8] = []

    init(class group: UInt8, id: UInt8, length: Int) {
      bytes.reserveCapacity(length + 8)
      bytes.append(contentsOf: [0xB5, 0x62, group, id])
      u2(length)
    }

    mutating func u1(_ value: Int) { bytes.append(UInt8(truncatingIfNeeded: value)) }
    mutating func u2(_ value: Int) {
      u1(value)
      u1(value >> 8)
    }
    mutating func u4(_ value: Int) {
      u2(value)
      u2(value >> 16)
    }
    /// Rounded, and limited to the range of four bytes.
    mutating func i4(_ value: Double) {
      u4(Int(max(-2_147_483_648, min(2_147_483_647, value.rounded()))))
    }
    mutating func zeros(_ count: Int) {
      bytes.append(contentsOf: repeatElement(0, count: count))
    }

    func finish(to output: inout [UInt8]) {
      var a: UInt8 = 0
      var b: UInt8 = 0
      for byte in bytes.dropFirst(2) {
        a &+= byte
        b &+= a
      }
      output.append(contentsOf: bytes)
      output.append(a)
      output.append(b)
    }
  }
}
