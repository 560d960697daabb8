import CNetlink
import Glibc
import Platform

/// Why the kernel did not answer.
struct NetlinkRefusal: Error, Equatable, Sendable {
  let error: SystemError
  /// The kernel's error text, if it gives one.
  let kernelText: String?

  init(_ error: SystemError, words: String? = nil) {
    self.error = error
    self.kernelText = words
  }

  /// "Operation not supported (no such table)".
  var text: String { kernelText.map { "\(error.text) (\($0))" } ?? error.text }
}

/// Sends a request to the kernel and reads the answer at once: the kernel processes a request while
/// it is sent, and the rest of a long answer while its parts are read. So nothing is awaited.
final class NetlinkQuery {
  /// Size of the read buffer. The kernel fills as much of it as it can, 32 kB at most (netlink_dump
  /// in af_netlink.c). One access point may take 5 kB.
  private static let room = 16_384
  /// A change during a dump makes the list inconsistent; then it is requested again.
  private static let maxAttempts = 3
  /// A router with the full Internet table has 100 MB of routes. The first ones are enough then.
  private static let maxBytes = 4 << 20

  private let bus: NetlinkBus
  private var socket: NetlinkSocket
  private var sequence: UInt32 = 0

  init(_ bus: NetlinkBus) throws(NetlinkRefusal) {
    self.bus = bus
    socket = try Self.socket(bus)
  }

  private static func socket(_ bus: NetlinkBus) throws(NetlinkRefusal) -> NetlinkSocket {
    do { return try NetlinkSocket(bus) } catch { throw NetlinkRefusal(error) }
  }

  /// - Parameters:
  ///   - start: the initial value of the answer, for each attempt.
  ///   - take: adds a message of the answer to it.
  func run<Answer>(
    _ request: NetlinkRequest, from start: Answer,
    _ take: (inout Answer, NetlinkMessage) -> Void
  ) throws(NetlinkRefusal) -> Answer {
    var answer = start
    for _ in 0..<Self.maxAttempts {
      answer = start
      let end: End
      do {
        end = try collect(request) { take(&answer, $0) }
      } catch {
        throw NetlinkRefusal(error)
      }
      switch end {
      case .complete: return answer
      case .refused(let refusal): throw refusal
      case .interrupted: continue
      case .cutShort:
        socket = try Self.socket(bus)
        return answer
      }
    }
    // The changes that keep interrupting it are reported by notices, too.
    return answer
  }

  private enum End {
    case complete, interrupted, cutShort
    case refused(NetlinkRefusal)
  }

  private func collect(
    _ request: NetlinkRequest, _ take: (NetlinkMessage) -> Void
  ) throws(SystemError) -> End {
    sequence &+= 1
    try socket.send(request.numbered(sequence))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.room, alignment: 8)
    defer { buffer.deallocate() }
    var reader = AnswerReader(sequence: sequence)
    var sum = 0
    while sum < Self.maxBytes {
      switch try socket.receive(buffer) {
      case .nothing: return .refused(NetlinkRefusal(SystemError(code: ENODATA)))
      case .overrun: return .refused(NetlinkRefusal(SystemError(code: ENOBUFS)))
      case .tooLong: sum += Self.room
      case .bytes(let count):
        sum += max(count, 1)
        reader.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), take)
      }
      guard let refusal = reader.end else { continue }
      if refusal.error.code != 0 { return .refused(refusal) }
      return reader.isInterrupted ? .interrupted : .complete
    }
    return .cutShort
  }
}

/// Separates the parts of one answer from its end, and both from messages that answer something
/// else.
struct AnswerReader {
  let sequence: UInt32
  /// Nil: more messages follow; error 0: the answer is complete.
  private(set) var end: NetlinkRefusal?
  /// Whether the listed objects changed meanwhile.
  private(set) var isInterrupted = false

  init(sequence: UInt32) { self.sequence = sequence }

  mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (NetlinkMessage) -> Void) {
    NetlinkMessage.forEach(in: bytes) { message in
      guard message.sequence == sequence, end == nil else { return }
      if message.flags & UInt16(NLM_F_DUMP_INTR) != 0 { isInterrupted = true }
      switch Int32(message.type) {
      case NLMSG_NOOP: break
      case NLMSG_ERROR, NLMSG_DONE: end = Self.refusal(message)
      default: take(message)
      }
    }
  }

  private static func refusal(_ message: NetlinkMessage) -> NetlinkRefusal {
    // Both begin with a negative error number, which a DONE of old kernels may lack.
    guard message.payload.count >= 4 else { return NetlinkRefusal(SystemError(code: 0)) }
    let code = message.payload.loadUnaligned(as: Int32.self)
    guard code < 0, code > -4096 else { return NetlinkRefusal(SystemError(code: 0)) }
    return NetlinkRefusal(SystemError(code: -code), words: words(message))
  }

  private static func words(_ message: NetlinkMessage) -> String? {
    guard message.flags & UInt16(NLM_F_ACK_TLVS) != 0 else { return nil }
    // After the number an ERROR repeats the header of the request (NETLINK_CAP_ACK), a DONE does
    // not.
    let isError = Int32(message.type) == NLMSG_ERROR
    let start = isError ? 4 + MemoryLayout<nlmsghdr>.size : 4
    guard message.payload.count > start else { return nil }
    let attributes = NetlinkAttributes(UnsafeRawBufferPointer(rebasing: message.payload[start...]))
    return attributes.first(NLMSGERR_ATTR_MSG.rawValue).map { $0.text }
  }
}
