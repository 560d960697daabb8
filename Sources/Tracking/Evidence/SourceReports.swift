import Core
import Records

/// The last report of each source, for the user.
struct SourceReports: Sendable {
  struct Report: Hashable, Sendable {
    var text: String
    var at: BootInstant
    /// Whether the text is the reason of a failure.
    var isFailure = false
  }

  private var reports: [String: Report] = [:]

  subscript(name: String) -> Report? { reports[name] }

  mutating func update(_ evidence: Evidence, from name: String, at now: BootInstant) {
    reports[name] = Report(text: evidence.inWords, at: now)
  }

  mutating func failed(_ name: String, _ why: String, at now: BootInstant) {
    reports[name] = Report(text: why, at: now, isFailure: true)
  }
}

extension Evidence {
  /// "joined to 9f8e7d6c5b4a3f2e", "12 access points".
  public var inWords: String {
    switch self {
    case .motion: return "movement"
    case .network(let name?): return "joined to \(name)"
    case .network(nil): return "joined to no network"
    case .ignition(let isOn): return isOn ? "external power is on" : "external power is off"
    case .sign(let text): return text
    case .accessPoints(let scan):
      let count = scan.signals.count
      let age =
        scan.age < 1 ? "" : ", received \(FixedDecimal.text(scan.age.value, digits: 0)) s before"
      return count == 1 ? "1 access point\(age)" : "\(count) access points\(age)"
    case .cell(let name): return "cell \(name)"
    case .location(let observation): return observation.inWords
    }
  }
}

extension CoarseObservation {
  /// "52.0907, 5.1214 ± 40 m"; a resolution of 11 m, which no coarse source exceeds.
  var inWords: String {
    guard let position, let accuracy else { return "no position" }
    return "\(FixedDecimal.text(position.latitude.value, digits: 4)), "
      + "\(FixedDecimal.text(position.longitude.value, digits: 4)) "
      + "± \(FixedDecimal.text(accuracy.value, digits: 0)) m"
  }
}
