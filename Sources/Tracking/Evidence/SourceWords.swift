import Quantities
import Records

/// What each source said last, for the user.
struct SourceWords: Sendable {
  struct Word: Hashable, Sendable {
    var text: String
    var at: BootInstant
    /// Whether it is why nothing can be had of the source.
    var isFailure = false
  }

  private var words: [String: Word] = [:]

  subscript(name: String) -> Word? { words[name] }

  mutating func heard(_ evidence: Evidence, from name: String, at now: BootInstant) {
    words[name] = Word(text: evidence.inWords, at: now)
  }

  mutating func failed(_ name: String, _ why: String, at now: BootInstant) {
    words[name] = Word(text: why, at: now, isFailure: true)
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
    case .accessPoints(let scan):
      let count = scan.signals.count
      let age = scan.age < 1 ? "" : ", heard \(Int(scan.age.value)) s before"
      return count == 1 ? "1 access point\(age)" : "\(count) access points\(age)"
    case .cell(let name): return "cell \(name)"
    case .location(let observation): return observation.inWords
    }
  }
}

extension CoarseObservation {
  /// "52.0907, 5.1214 ± 40 m"; to 11 m, as nothing coarse knows better.
  var inWords: String {
    guard let position, let accuracy else { return "no place known" }
    func degrees(_ angle: Double) -> Double { (angle * 1e4).rounded() / 1e4 }
    return "\(degrees(position.latitude.value)), \(degrees(position.longitude.value)) "
      + "± \(Int(accuracy.value.rounded(.up))) m"
  }
}
