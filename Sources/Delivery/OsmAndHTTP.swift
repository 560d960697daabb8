import Core
import Formats
import Records

extension Recipient {
  /// Traccar and others, by the OsmAnd protocol.
  public static let osmand = Recipient("osmand", over: .web)
}

/// Traccar's protocol for its phone app, also Home Assistant's webhook of that name.
struct OsmAndHTTP: WebProtocol {
  static let recipient = Recipient.osmand
  static let doc = "Locations to Traccar, or to another receiver of OsmAnd's protocol."
  static let example = "https://traccar.example.org:5055"
  /// As a form, not as a query: URLs appear in the logs of every server on the way.
  static let contentType = "application/x-www-form-urlencoded"
  static let successes: Set<Int> = [200, 202]

  /// The board's id for the receiver; empty: the board's name.
  private var device = ""

  mutating func declare(_ setting: SettingVisitor) {
    setting(
      "device_id", &device, .text(bytes: 0...128),
      "Identifier of the board at the receiver. Empty: the name of the board.")
  }

  func item(for change: ChangedRecord, _ state: inout OutboxState) -> OutboxItem? {
    guard let location = change.point?.location else { return nil }
    var report = OsmAndReport(
      device.isEmpty ? change.topics.device : device, at: location.time, location.position)
    report.accuracy = location.accuracy
    report.altitude = location.altitude
    report.speed = location.speed
    report.course = location.track
    // Traccar stores unknown fields as attributes.
    report.attributes = [OsmAndReport.Attribute("source", location.source.rawValue)]
    return change.item(to: Self.recipient, payload: Array(report.query.utf8))
  }

  /// Traccar answers 200 with an empty body, unless a command waits for the tracker
  /// (BaseHttpProtocolDecoder, OsmAndProtocolDecoder). Over http another server in the network may
  /// answer anything else.
  func claim(of answer: UploadAnswer, at address: WebAddress) -> WebReceipt.Claim {
    let line = answer.body.reversed().drop(while: \.isSpace).reversed()
    if line.isEmpty {
      if address.isWebhook { return .unknownWebhook }
      return answer.status == 200 || address.isSecure ? .receipt : .doubt(Self.notTraccar)
    }
    guard line.count <= Self.longestCommand, let text = String(validating: line, as: UTF8.self),
      !TerminalText.hasControlCharacter(text)
    else {
      return .doubt("with more than the one short line of OsmAnd's protocol: check the address")
    }
    if text.hasPrefix(Self.homeAssistant) { return .receipt }
    if address.isWebhook { return .unknownWebhook }
    return address.isSecure
      ? .receipt
      : .doubt("with a text: over http any server may have sent it, use an address with https")
  }

  func refusal(_ status: Int) -> WebReceipt? {
    guard status == 400 else { return nil }
    return .refused(
      .credentials,
      why: "400: the device is unknown there; add it to Traccar with this identifier")
  }

  /// In bytes. A command for the tracker is one line.
  private static let longestCommand = 512
  private static let notTraccar =
    "over http any server may have sent it, and Traccar answers 200: use an address with https"
  /// Home Assistant's webhook for Traccar's clients.
  private static let homeAssistant = "Setting location for "
}
