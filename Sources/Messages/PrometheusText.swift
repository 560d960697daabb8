import Notation

/// Measurements as text for the textfile collector of Prometheus' node_exporter
/// (prometheus.io/docs/instrumenting/exposition_formats).
public struct PrometheusText: Sendable {
  public enum Kind: String, Sendable { case gauge, counter }

  public private(set) var bytes: [UInt8] = []
  private var families: Set<String> = []

  public init() {}

  /// - Parameters:
  ///   - name: with the unit at its end, a counter's with `_total`; each family once.
  ///   - samples: what is not finite is written as NaN or ±Inf.
  public mutating func family(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]
  ) {
    guard !samples.isEmpty, families.insert(name).inserted else { return }
    line("# HELP \(name) \(Self.escaped(help, quotes: false))")
    line("# TYPE \(name) \(kind.rawValue)")
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
      let all = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      line("\(name)\(all) \(Self.number(sample.value, digits: sample.digits))")
    }
  }

  public struct Sample: Sendable {
    let value: Double
    let digits: Int
    let labels: [(name: String, value: String)]

    public init(_ value: Double, digits: Int, _ labels: [(name: String, value: String)] = []) {
      self.value = value
      self.digits = digits
      self.labels = labels
    }
  }

  private mutating func line(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func number(_ value: Double, digits: Int) -> String {
    guard !value.isNaN else { return "NaN" }
    guard value.isFinite else { return value > 0 ? "+Inf" : "-Inf" }
    return FixedDecimal.text(value, digits: digits)
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
