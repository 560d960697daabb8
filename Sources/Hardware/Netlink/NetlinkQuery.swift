import CNetlink
import Glibc
import Platform

/// Why the kernel did not answer.
public struct NetlinkRefusal: Error, Equatable, Sendable {
  public let error: SystemError
  /// The kernel's own words, where it has any.
  public let words: String?

  public init(_ error: SystemError, words: String? = nil) {
    self.error = error
    self.words = words
  }

  /// "Operation not supported (no such table)".
  public var text: String { words.map { "\(error.text) (\($0))" } ?? error.text }
}

/// Asks the kernel and has the answer at once: it works on a request while that is sent, and on the
/// rest of a long answer while its parts are taken. So nothing is waited for.
public final class NetlinkQuery {
  /// The kernel fills as much of it as it can, 32 kB at most (netlink_dump in af_netlink.c). One
  /// access point may take 5 kB.
  private static let room = 16_384
  /// What is changed while it is listed makes an inconsistent list; then it is asked for anew.
  private static let maxAttempts = 3
  /// A router of the whole Internet has 100 MB of routes. What stands first is enough then.
  private static let maxBytes = 4 << 20

  private let bus: NetlinkBus
  private var socket: NetlinkSocket
  private var sequence: UInt32 = 0

  public init(_ bus: NetlinkBus) throws(NetlinkRefusal) {
    self.bus = bus
    socket = try Self.socket(bus)
  }

  private static func socket(_ bus: NetlinkBus) throws(NetlinkRefusal) -> NetlinkSocket {
    do { return try NetlinkSocket(bus) } catch { throw NetlinkRefusal(error) }
  }

  /// - Parameters:
  ///   - start: what the answer is before it has come, and again if it has to be asked for anew.
  ///   - take: puts a message of the answer into it.
  public func ask<Answer>(
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
    // Whatever changes it all the time is told as news, too.
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

/// Tells the parts of one answer from its end, and both from what answers something else.
struct AnswerReader {
  let sequence: UInt32
  /// Nil: there is more to come; error 0: that was all.
  private(set) var end: NetlinkRefusal?
  /// Whether what was listed changed meanwhile.
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
    // Both begin with an error as a negative number, which a DONE of old kernels may lack.
    guard message.payload.count >= 4 else { return NetlinkRefusal(SystemError(code: 0)) }
    let code = message.payload.loadUnaligned(as: Int32.self)
    guard code < 0, code > -4096 else { return NetlinkRefusal(SystemError(code: 0)) }
    return NetlinkRefusal(SystemError(code: -code), words: words(message))
  }

  private static func words(_ message: NetlinkMessage) -> String? {
    guard message.flags & UInt16(NLM_F_ACK_TLVS) != 0 else { return nil }
    // After the number an ERROR repeats the header of the request (NETLINK_CAP_ACK), a DONE
    // nothing.
    let isError = Int32(message.type) == NLMSG_ERROR
    let start = isError ? 4 + MemoryLayout<nlmsghdr>.size : 4
    guard message.payload.count > start else { return nil }
    let attributes = NetlinkAttributes(UnsafeRawBufferPointer(rebasing: message.payload[start...]))
    return attributes.first(NLMSGERR_ATTR_MSG.rawValue).map { $0.text }
  }
}
