import Formats

/// A receiver of web requests, and how items become requests.
public struct WebPlan: Hashable, Sendable {
  /// As many points as Overland's app sends at once; its receivers expect that.
  private static let mostOfOverland = 200

  public let recipient: Recipient
  public let address: WebAddress
  public let credentials: UploadCredentials?
  /// Levels of the board's topics, which OwnTracks' servers need with every request.
  private let topics: UplinkTopics

  public init(
    _ recipient: Recipient, at address: WebAddress, _ credentials: UploadCredentials?,
    _ topics: UplinkTopics
  ) {
    precondition(recipient.transport == .web, "\(recipient) is not reached by web requests")
    self.recipient = recipient
    self.address = address
    self.credentials = credentials
    self.topics = topics
  }

  /// The type of its answers.
  var receiver: WebReceiver {
    switch recipient {
    case .osmand: .osmAnd
    case .overland: .overland
    default: .ownTracks
    }
  }

  /// Per request.
  var mostItems: Int { recipient == .overland ? Self.mostOfOverland : 1 }

  /// - Parameter items: at least one, at most `mostItems`.
  func request(for items: [OutboxItem]) throws(UploadRequestError) -> UploadRequest {
    switch receiver {
    case .ownTracks:
      // Booklet, tech/http: the server identifies the sender by these.
      try UploadRequest(
        .post, address,
        headers: [
          UploadRequest.Header("X-Limit-U", topics.user),
          UploadRequest.Header("X-Limit-D", topics.device),
        ], body: items[0].payload, contentType: "application/json", credentials: credentials)
    case .osmAnd:
      // As a form, not as a query: URLs appear in the logs of every server on the way.
      try UploadRequest(
        .post, address, body: items[0].payload,
        contentType: "application/x-www-form-urlencoded", credentials: credentials)
    case .overland:
      try UploadRequest(
        .post, address, body: OverlandBatch.message(of: items.map(\.payload)),
        contentType: "application/json", credentials: credentials)
    }
  }
}
