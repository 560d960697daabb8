import Delivery
import FuzzInput
import Formats
import Core

/// Messages of others on topics to which the board or a collector subscribes.
public final class MessagesTarget: FuzzTarget {
  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    let bytes = Array(input)
    try ownTracks(bytes)
    try batch(bytes)
    try request(bytes)
    if let receipt = CollectorReceipt(parsing: bytes) {
      try require(
        CollectorReceipt(parsing: receipt.bytes) == receipt, "another receipt: \(receipt)")
    }
  }

  /// Written and read again, a message has the same content, and from then on the same bytes, by
  /// which receivers detect duplicates.
  private func ownTracks(_ bytes: [UInt8]) throws(Violation) {
    guard let message = try? OwnTracksMessage(parsing: bytes) else { return }
    let once = message.bytes
    guard let again = try? OwnTracksMessage(parsing: once) else {
      throw Violation("cannot be read again: \(String(decoding: once, as: UTF8.self))")
    }
    let twice = again.bytes
    guard let third = try? OwnTracksMessage(parsing: twice) else {
      throw Violation("cannot be read a third time: \(String(decoding: twice, as: UTF8.self))")
    }
    try require(third.bytes == twice, "other bytes each time")
  }

  /// Every request gets exactly one readable answer, with the id of the request.
  private func request(_ bytes: [UInt8]) throws(Violation) {
    let answer: RemoteAnswer
    var id: String?
    do throws(RemoteRequestError) {
      let request = try RemoteRequest(parsing: bytes)
      id = request.id
      let why = request.objection(at: UTCInstant(seconds: 1_777_593_600))
      answer = RemoteAnswer(to: request, refusedBecause: why ?? "no")
    } catch {
      answer = RemoteAnswer(to: error)
    }
    guard let said = try? JSONValue(parsing: answer.bytes) else {
      throw Violation("no JSON: \(String(decoding: answer.bytes, as: UTF8.self))")
    }
    if let id { try require(said["id"]?.string == id, "another id: \(said.text)") }
  }

  private func batch(_ bytes: [UInt8]) throws(Violation) {
    guard let batch = try? CollectedBatch(parsing: bytes) else { return }
    let written = CollectedBatch.message(stream: batch.stream, batch.records.map(\.bytes))
    guard let again = try? CollectedBatch(parsing: written) else {
      throw Violation("no batch: \(String(decoding: written, as: UTF8.self))")
    }
    try require(again == batch, "another batch: \(String(decoding: written, as: UTF8.self))")
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = MessagesTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
