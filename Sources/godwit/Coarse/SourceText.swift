import Core

/// The sources of evidence and coarse locations for people, as `status` and `coarse watch` show
/// them.
enum SourceText {
  /// "motion trusted (confirmed 12, contradicted 1, reported 40 s ago: movement)"
  static func line(_ source: JSONValue?) -> String? {
    guard let name = source?["name"]?.string else { return nil }
    let trust = source?["trusted"]?.bool ?? false ? "trusted" : "not trusted"
    return "\(name) \(trust) (confirmed \(source?["confirmed"]?.integer ?? 0), "
      + "contradicted \(source?["contradicted"]?.integer ?? 0), \(lastWord(source)))"
  }

  private static func lastWord(_ source: JSONValue?) -> String {
    guard let ago = source?["heard_ago_s"]?.number else { return "no report yet" }
    let says = source?["says"]?.string.map { ": \($0)" } ?? ""
    let verb = source?["failed"]?.bool ?? false ? "failed" : "reported"
    return "\(verb) \(Seconds(ago).inWords) ago\(says)"
  }

  /// "resting for 3 h 20 min, and something would tell of a departure"
  static func motion(_ motion: JSONValue?) -> String? {
    guard let state = motion?["state"]?.string else { return nil }
    guard let since = motion?["since_ago_s"]?.number else {
      return "rest or movement unknown"
    }
    let watched =
      motion?["watched"]?.bool ?? false ? ", and a sensor watches for departure" : ""
    return "\(state) for \(Seconds(since).inWords)\(state == "resting" ? watched : "")"
  }
}
