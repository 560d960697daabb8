import Core

/// Records in one message to a collector: `{"_type":"records","stream":"4fa2","first":12,…}`.
public struct CollectedBatch: Equatable, Sendable {
  static let type = "records"
  /// Limit of records that are read: brokers refuse messages of 256 KiB, and the board sends fewer.
  static let mostRecords = 1000

  public let stream: String
  public let records: [CollectedRecord]

  public init(stream: String, _ records: [CollectedRecord]) {
    self.stream = stream
    self.records = records
  }

  /// The message with records that are encoded already, each as in `CollectedRecord.bytes`.
  public static func message(stream: String, _ records: [[UInt8]]) -> [UInt8] {
    var bytes = Array(#"{"_type":"\#(type)","stream":"\#(stream)","records":["#.utf8)
    for (index, record) in records.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += record
    }
    bytes += Array("]}".utf8)
    return bytes
  }

  /// - Throws: why it is invalid. One invalid record makes the whole message invalid: it is not
  ///   acknowledged, and the board sends it again.
  public init(parsing bytes: [UInt8]) throws(MessageProblem) {
    let json: JSONValue
    do {
      json = try JSONValue(parsing: bytes)
    } catch {
      throw MessageProblem(error.description)
    }
    guard json["_type"]?.string == Self.type else {
      throw MessageProblem("not a batch of records: _type is not \"\(Self.type)\"")
    }
    guard let stream = json["stream"]?.string, !stream.isEmpty,
      RecordStream(name: stream).name == stream
    else { throw MessageProblem("stream is not 1 to 32 letters and digits") }
    guard let items = json["records"]?.array, items.count <= Self.mostRecords else {
      throw MessageProblem("records is not a list of at most \(Self.mostRecords)")
    }
    var records: [CollectedRecord] = []
    for (index, item) in items.enumerated() {
      guard let record = CollectedRecord(item) else {
        throw MessageProblem("records[\(index)] is not a record")
      }
      records.append(record)
    }
    self.init(stream: stream, records)
  }
}

/// Why a message cannot be used, for a log.
public struct MessageProblem: Error, Hashable, Sendable {
  public let reason: String
  init(_ reason: String) { self.reason = reason }
}
