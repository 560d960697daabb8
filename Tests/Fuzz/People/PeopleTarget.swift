import Messaging
import FuzzInput
import Core
import Runtime

/// Messages from a broker to a person's board, in any order, at any time. Lines of input:
/// `a TOPIC MESSAGE` arrives, `k TOPIC MESSAGE` was accepted by the broker, `m` and a request of
/// the uplink with both, `l LATITUDE,LONGITUDE,ACCURACY` is the board's position, `j ID` and
/// `q ID` are joined and left by the owner, `t SECONDS` pass, `d SECONDS` since 1970 is the clock's
/// date from now on (nothing: unknown), `r` is a restart.
public final class PeopleTarget: FuzzTarget {
  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    var board = BoardOfAnna()
    for line in input.split(separator: UInt8(ascii: "\n")) {
      let rest = Array(line.dropFirst(2))
      switch line.first {
      case UInt8(ascii: "a"):
        let (topic, payload) = Self.message(rest)
        try requireStable(payload)
        try board.step(.arrived(topic: topic, payload: payload))
      case UInt8(ascii: "k"):
        let (topic, payload) = Self.message(rest)
        try board.step(.acknowledged(topic: topic, payload: payload))
      case UInt8(ascii: "m"): for event in try Self.mail(rest) { try board.step(event) }
      case UInt8(ascii: "l"): if let event = Self.location(rest) { try board.locate(event) }
      case UInt8(ascii: "j"): if let id = Self.id(rest) { try board.step(.joined(id)) }
      case UInt8(ascii: "q"): if let id = Self.id(rest) { try board.step(.left(id)) }
      case UInt8(ascii: "t"): try board.pass(min(max(Self.number(rest) ?? 0, 0), 1e8))
      case UInt8(ascii: "d"): board.setDate(Self.number(rest))
      case UInt8(ascii: "r"): try board.restart()
      default: break
      }
    }
  }

  // MARK: Lines

  private static func message(_ bytes: [UInt8]) -> (topic: String, payload: [UInt8]) {
    let parts = bytes.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
    return (String(decoding: parts[0], as: UTF8.self), parts.count > 1 ? Array(parts[1]) : [])
  }

  private static func number(_ bytes: [UInt8]) -> Double? {
    Double(String(decoding: bytes, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  private static func id(_ bytes: [UInt8]) -> UniqueID? {
    UniqueID(String(decoding: bytes, as: UTF8.self))
  }

  private static func location(_ bytes: [UInt8]) -> (Coordinate, Metres)? {
    let numbers = bytes.split(separator: UInt8(ascii: ",")).compactMap { number(Array($0)) }
    guard numbers.count == 3, (0.1...1e6).contains(numbers[2]),
      let position = Coordinate(checkedLatitude: numbers[0], longitude: numbers[1])
    else { return nil }
    return (position, Metres(numbers[2]))
  }

  /// A delivery of the uplink survives writing and reading.
  private static func mail(_ bytes: [UInt8]) throws(Violation) -> [MessagingEvent] {
    guard let json = try? JSONValue(parsing: bytes), let mail = PeerMessageDelivery(json) else {
      return []
    }
    guard let again = try? JSONValue(parsing: mail.json.text) else {
      throw Violation("no JSON: \(mail.json.text)")
    }
    try require(PeerMessageDelivery(again) == mail, "other mail: \(mail.json.text)")
    return mail.events
  }

  private func requireStable(_ payload: [UInt8]) throws(Violation) {
    guard let message = try? PeerMessage(payload) else { return }
    let bytes = message.bytes
    guard let again = try? PeerMessage(bytes), again == message, again.bytes == bytes else {
      throw Violation("another message: \(String(decoding: bytes, as: UTF8.self))")
    }
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = PeopleTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
