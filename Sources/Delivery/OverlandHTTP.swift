import Core
import Formats
import Records

extension Recipient {
  /// Receivers of Overland's batches.
  public static let overland = Recipient("overland", over: .web)
}

/// Overland's batches: Dawarich, Reitti, Compass.
struct OverlandHTTP: WebProtocol {
  static let recipient = Recipient.overland
  static let doc = "Locations to a receiver of the app Overland, such as Dawarich or Reitti."
  static let example = "https://dawarich.example.org/api/v1/overland/batches"
  /// As many points as Overland's app sends at once; its receivers expect that.
  static let mostItems = 200
  static let successes: Set<Int> = [200, 201]

  func item(for change: ChangedRecord, _ state: inout OutboxState) -> OutboxItem? {
    guard let location = change.point?.location else { return nil }
    var place = OverlandBatch.Point(location.time, location.position)
    place.accuracy = location.accuracy
    place.altitude = location.altitude
    place.speed = location.speed
    place.course = location.track
    return change.item(
      to: Self.recipient, payload: OverlandBatch(change.topics.device, [place]).features[0])
  }

  func body(of messages: [[UInt8]]) -> [UInt8] { OverlandBatch.message(of: messages) }

  func claim(of answer: UploadAnswer, at address: WebAddress) -> WebReceipt.Claim {
    let result = (try? JSONValue(parsing: answer.body))?["result"]
    if result == .string("ok") { return .receipt }
    guard let error = result?.string else {
      return .doubt("without Overland's {\"result\":\"ok\"}: check the address")
    }
    let text = TerminalText.line(String(error.prefix(100)))
    return .refused("Overland's receiver reports \"\(text)\"", at: address)
  }
}
