import Core

/// Measurements as text for the textfile collector of Prometheus' node_exporter
/// (prometheus.io/docs/instrumenting/exposition_formats).
public struct PrometheusText: Sendable {
  public enum Kind: String, Sendable {
    case gauge, counter

    fileprivate var counts: Bool { self == .counter }
  }

  public private(set) var bytes: [UInt8] = []
  private var families: Set<String> = []

  public init() {}

  /// A family that would make the collector refuse the whole file is left out: without a sample,
  /// with an invalid name, a duplicate family or set of labels, or a name that contradicts the
  /// kind.
  ///
  /// - Parameters:
  ///   - name: with the unit at its end, a counter's with `_total`; each family once.
  ///   - samples: values that are not finite are written as NaN or ±Inf.
  /// - Returns: whether it was added.
  @discardableResult
  public mutating func family(
    _ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]
  ) -> Bool {
    guard !samples.isEmpty, Self.isName(name, colons: true),
      name.hasSuffix("_total") == kind.counts,
      samples.allSatisfy(\.hasNames), Set(samples.map(\.labelSet)).count == samples.count,
      families.insert(name).inserted
    else { return false }
    line("# HELP \(name) \(Self.escaped(help, quotes: false))")
    line("# TYPE \(name) \(kind.rawValue)")
    for sample in samples {
      let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
      let all = labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}"
      line("\(name)\(all) \(Self.number(sample.value, digits: sample.digits))")
    }
    return true
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

    /// Names that begin with two underscores are reserved by Prometheus.
    fileprivate var hasNames: Bool {
      labels.allSatisfy {
        PrometheusText.isName($0.name, colons: false) && !$0.name.hasPrefix("__")
      } && Set(labels.map(\.name)).count == labels.count
    }

    /// The same labels in another order are the same sample.
    fileprivate var labelSet: [String: String] {
      Dictionary(labels.map { ($0.name, $0.value) }) { first, _ in first }
    }
  }

  private mutating func line(_ text: String) {
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\n"))
  }

  private static func isName(_ text: String, colons: Bool) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      case UInt8(ascii: ":"): colons
      default: false
      }
    }
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
