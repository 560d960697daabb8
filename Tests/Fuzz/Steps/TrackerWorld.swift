import Records
import FuzzInput
import FuzzVisits
import Core
import GNSS
import Tracking

/// The tracker's environment: generates events and checks the effects.
struct TrackerWorld {
  /// A date of the receiver, the first that a text can express, and one a year before the last
  /// accepted one. Not the first hours of 1970: a bound before 1970 counts as damage in a snapshot,
  /// and no receiver's date is that early.
  static let dates = [
    UTCInstant(seconds: 1_770_000_000), UTCInstant(seconds: 864_000), UTCInstant(seconds: -1),
    UTCInstant(nanoseconds: -9_214_560_000_000_000_000),  // 1678-01-01
    UTCInstant(seconds: 7_226_582_400),  // 2199-01-01
    UTCInstant(seconds: 315_964_800),  // 1980-01-06
  ]

  /// The system's clock at the start; it counts from 1970.
  let clock: SystemDate?
  private(set) var now = BootInstant.zero
  private var switchedOn = false
  /// The switch has failed, so the receiver may be on although it should be off.
  private var mayBeOn = false
  private var lastSession: Int64 = 0

  init(_ clock: UTCInstant?) {
    self.clock = clock.flatMap {
      $0.nanoseconds < 0 ? nil : SystemDate(date: $0, read: .zero, isSynchronized: false)
    }
  }

  // MARK: Events

  mutating func event(_ bytes: inout InputBytes) -> Event {
    let kind = bytes.byte()
    now = now + Self.pause(&bytes)
    switch kind % 16 {
    case 0: return .woke
    case 1:
      return bytes.flag() ? .scanFailed(source: "wifi", reason: "x") : .powerFailed(reason: "x")
    case 2: return bytes.flag() ? .woke : .powerReached
    case 3: return .command(bytes.element(Self.commands))
    case 4, 5: return .coarse(coarse(&bytes), from: "wifi")
    case 6: return bytes.flag() ? .restartFailed(reason: "x") : .sleepUnavailable(reason: "x")
    case 7:
      return .learnt(
        PowerCapabilities(canSleep: bytes.flag(), canCut: bytes.flag(), hasBackup: bytes.flag()))
    case 13: return .receiver(bytes.element(ReceiverPowerState.allCases))
    case 14:
      let accuracy = Metres(Double(bytes.byte()))
      return .demand(
        from: bytes.flag() ? "a" : "b",
        bytes.flag() ? GnssDemand(.on, accuracy: accuracy, reason: "x") : nil)
    case 15:
      let date = max(time(&bytes), UTCInstant(nanoseconds: 0))
      return .systemDate(SystemDate(date: date, read: now, isSynchronized: bytes.flag()))
    default: return .fix(fix(&bytes, isWild: kind & 128 != 0))
    }
  }

  private static let commands =
    GnssOverride.allCases.map(Command.gnss) + RestartKind.allCases.map(Command.restart)

  /// Mostly seconds, sometimes hours.
  private static func pause(_ bytes: inout InputBytes) -> Seconds {
    let byte = Double(bytes.byte())
    return byte < 128 ? Seconds(byte / 4) : Seconds((byte - 128) * (byte - 128) * 4)
  }

  private func time(_ bytes: inout InputBytes) -> UTCInstant {
    switch bytes.choice(12) {
    case 0:
      let first = Self.dates[3].nanoseconds
      let last = Self.dates[4].nanoseconds
      return UTCInstant(nanoseconds: min(max(Int64(bitPattern: bytes.word64()), first), last))
    case 1: return bytes.element(Self.dates)
    case 2: return Self.dates[0] + (now - .zero) + Seconds(bytes.fraction() * 1e6)
    default: return Self.dates[0] + (now - .zero)
    }
  }

  private func position(_ bytes: inout InputBytes) -> Coordinate? {
    switch bytes.choice(12) {
    case 0: return nil
    case 1: return Coordinate(checkedLatitude: bytes.wild(), longitude: bytes.wild())
    case 2:
      return Coordinate(
        latitude: Degrees(bytes.fraction() * 90), longitude: Degrees(bytes.fraction() * 180))
    case 3, 4:
      return Coordinate(
        latitude: Degrees(52 + bytes.fraction() / 50), longitude: Degrees(5 + bytes.fraction() / 50)
      )
    default: return Coordinate(latitude: 52, longitude: 5)
    }
  }

  /// Decoders output only finite numbers.
  private func finite(_ bytes: inout InputBytes) -> Double? {
    let number = bytes.wild()
    return number.isFinite ? number : nil
  }

  private func size(_ bytes: inout InputBytes, most: Double = 1e9) -> Double? {
    finite(&bytes).flatMap { (0...most).contains($0) ? $0 : nil }
  }

  private func fix(_ bytes: inout InputBytes, isWild: Bool) -> Fix {
    var fix = Fix(received: now)
    fix.time = bytes.choice(16) == 1 ? nil : time(&bytes)
    fix.position = position(&bytes)
    fix.mode = fix.position == nil ? .none : .threeD
    fix.horizontalError = isWild ? size(&bytes).map { Metres($0) } : 4
    guard isWild else { return fix }
    fix.speed = size(&bytes, most: 1e5).map { MetresPerSecond($0) }
    fix.altitudeMSL = finite(&bytes).map { Metres($0) }
    fix.hdop = size(&bytes)
    fix.satellitesUsed = Int(bytes.byte())
    fix.satellitesInView = Int(bytes.byte())
    return fix
  }

  private func coarse(_ bytes: inout InputBytes) -> CoarseObservation {
    let kind = bytes.byte()
    return CoarseObservation(
      received: now, time: kind & 1 == 0 ? time(&bytes) : nil, position: position(&bytes),
      accuracy: kind & 2 == 0 ? Metres(kind & 4 == 0 ? 100 : bytes.wild()) : nil,
      accessPoint: kind & 8 == 0 ? nil : String(kind >> 4), source: "wifi")
  }

  // MARK: What must hold

  mutating func take(_ effects: [Effect], after event: Event?) throws(Violation) {
    switch event {
    case .powerFailed: mayBeOn = true
    case .powerReached where !switchedOn: mayBeOn = false
    default: break
    }
    for effect in effects {
      switch effect {
      case .power(let state, _):
        // Off may be requested again if it may have failed.
        let isDue = (state == .on) != switchedOn || (state != .on && mayBeOn) || state == .off
        try require(isDue, "\(state) is asked for twice")
        switchedOn = state == .on
      case .wake(let instant?): try require(instant > now, "a wake in the past would spin")
      case .store(let record): try look(at: record)
      default: break
      }
    }
  }

  func requireAgreement(with tracker: Tracker) throws(Violation) {
    try require(
      tracker.isListening == switchedOn, "listening: \(tracker.isListening), on: \(switchedOn)")
  }

  private mutating func look(at record: Record) throws(Violation) {
    switch record {
    case .visit(let visit): try visit.requireSound()
    case .session(let session) where session.outcome == .open:
      try require(session.id > lastSession, "session \(session.id) after \(lastSession)")
      lastSession = session.id
    case .trackPoint(let point):
      let size = point.location.accuracy
      try require(size >= 0 && size.isFinite, "accuracy: \(point)")
    case .destination(let destination):
      let isSound =
        destination.radius.isFinite && destination.totalDwell.isFinite
        && destination.visits >= 0 && destination.position.latitude.magnitude <= 90
        && destination.position.longitude.magnitude <= 180
      try require(isSound, "\(destination)")
    default: break
    }
  }
}
