import MonitorProtocols
import Notation
import Quantities

/// What a recording says of itself. Of a table (CSV) nothing is known.
public struct RecordingDetails: Hashable, Sendable {
  public let monitor: String?
  public let scope: String?
  public let chip: MonitorChip?
  public let shunt: Ohms?
  public let window: Seconds?
  public let start: String?
  public let host: String?
  public let program: String?
  public let kernel: String?

  static let unknown = RecordingDetails(.null)

  init(_ metadata: JSONValue) {
    func text(_ name: String) -> String? {
      metadata[name]?.string.map { TerminalText.line(String($0.prefix(200))) }
    }
    func positive(_ name: String) -> Double? {
      metadata[name]?.number.flatMap { $0 > 0 ? $0 : nil }
    }
    monitor = text("monitor")
    scope = text("scope")
    chip = metadata["chip"]?.string.flatMap(MonitorChip.init(rawValue:))
    shunt = positive("shunt_mOhm").map { Ohms($0 / 1000) }
    window = positive("window_s").map { Seconds($0) }
    start = text("start_utc")
    host = text("host")
    program = text("program")
    kernel = text("kernel")
  }

  /// The largest current that the monitor can tell; nil where its chip or shunt is not known.
  var range: Amperes? {
    guard let facts = chip?.facts, let resistor = facts.internalShunt ?? shunt else { return nil }
    return facts.shuntRange / resistor
  }

  /// What has to be the same in runs that are compared: another monitor has other errors.
  public var instrument: String? {
    guard let monitor else { return nil }
    let resistor = shunt.map { " with \(FixedDecimal.text($0.value * 1000, digits: 3)) mΩ" } ?? ""
    return monitor + resistor
  }
}
