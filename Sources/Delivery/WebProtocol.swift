import Core

/// The protocol of a receiver of web requests. It is one file, and its line in `WebProtocols.all`:
/// its name, its own settings, how records become messages and these a request, and what an answer
/// means.
protocol WebProtocol: RecordEncoder, SettingGroup {
  /// What it gets, in a sentence for the manual.
  static var doc: String { get }
  /// An address, for the manual.
  static var example: String { get }
  /// Messages per request; 1 unless it takes batches.
  static var mostItems: Int { get }
  /// The type of its bodies: JSON unless it differs.
  static var contentType: String { get }
  /// The HTTP statuses of its receipts, of 200...299.
  static var successes: Set<Int> { get }
  /// Whether its receipts contain messages for the board.
  static var answersWithMessages: Bool { get }

  /// The body of a request, from 1...`mostItems` messages.
  func body(of messages: [[UInt8]]) -> [UInt8]

  /// The headers of a request, in addition to those that every request has.
  func headers(_ topics: UplinkTopics) -> [UploadRequest.Header]

  /// The meaning of an answer with one of the `successes`.
  func claim(of answer: UploadAnswer, at address: WebAddress) -> WebReceipt.Claim

  /// A refusal that is this receiver's alone, by its status; nil: what HTTP says.
  func refusal(_ status: Int) -> WebReceipt?
}

extension WebProtocol {
  static var mostItems: Int { 1 }
  static var contentType: String { "application/json" }
  static var answersWithMessages: Bool { false }

  /// No settings beyond those that every receiver has.
  mutating func declare(_ setting: SettingVisitor) {}

  func body(of messages: [[UInt8]]) -> [UInt8] { messages[0] }

  func headers(_ topics: UplinkTopics) -> [UploadRequest.Header] { [] }

  func refusal(_ status: Int) -> WebReceipt? { nil }
}

enum WebProtocols {
  /// In the order of the manual.
  static let all: [any WebProtocol.Type] = [
    OwnTracksHTTP.self,
    OsmAndHTTP.self,
    OverlandHTTP.self,
  ]

  /// - Parameter recipient: one that is reached by web requests.
  static func named(_ recipient: Recipient) -> any WebProtocol.Type {
    guard let known = all.first(where: { $0.recipient == recipient }) else {
      preconditionFailure("\(recipient.rawValue) is not reached by web requests")
    }
    return known
  }
}
