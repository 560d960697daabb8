import Core

/// gpsd's reports other than positions: gpsd_json(5), 3.22 and 3.25.
extension ReceiverAnswer {
  /// Empty for other reports.
  static func answers(in report: JSONValue, named name: String) -> [ReceiverAnswer] {
    switch name {
    case "VERSION": [.gpsdVersion(text(report["release"]) ?? "")]
    case "ERROR": [.gpsdError(text(report["message"]) ?? "")]
    case "DEVICE": GpsdDevice(report).map { [.gpsdDevice($0)] } ?? []
    case "DEVICES":
      (report["devices"]?.array ?? []).prefix(GpsdDevice.maxCount).compactMap(GpsdDevice.init(_:))
        .map { .gpsdDevice($0) }
    default: []
    }
  }

  fileprivate static func text(_ value: JSONValue?) -> String? {
    guard let text = value?.string, !text.isEmpty else { return nil }
    return AnswerText.printable(text.utf8, atMost: 512)
  }
}

extension GpsdDevice {
  /// The limit per report; gpsd serves four devices by default.
  static let maxCount = 32

  /// Nil without a path.
  init?(_ report: JSONValue) {
    guard let path = ReceiverAnswer.text(report["path"]) else { return nil }
    self.init(
      path: path, driver: ReceiverAnswer.text(report["driver"]),
      subtype: ReceiverAnswer.text(report["subtype"]),
      subtype1: ReceiverAnswer.text(report["subtype1"]), baud: report["bps"]?.integer,
      isActive: report["activated"].map { $0.number != 0 } ?? true)
  }
}
