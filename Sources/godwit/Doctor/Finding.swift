import Hardware
import Core

/// The result of `godwit doctor` for one part of the board.
struct Finding: Equatable {
  enum Verdict: String { case ok, warn, fail }

  /// The part, as a stable key: "store", "receiver.line".
  let part: String
  let verdict: Verdict
  /// The situation and, unless all is well, what to do about it.
  let text: String

  static func ok(_ part: String, _ text: String) -> Finding {
    Finding(part: part, verdict: .ok, text: text)
  }

  static func warn(_ part: String, _ text: String) -> Finding {
    Finding(part: part, verdict: .warn, text: text)
  }

  static func fail(_ part: String, _ text: String) -> Finding {
    Finding(part: part, verdict: .fail, text: text)
  }
}

extension [Finding] {
  func count(_ verdict: Finding.Verdict) -> Int { count { $0.verdict == verdict } }

  /// "6 checks: 4 ok, 1 warning, 1 failed".
  var verdict: String {
    let warnings = count(.warn)
    return "\(Counted.text(count, "check")): \(count(.ok)) ok, "
      + "\(Counted.text(warnings, "warning")), \(count(.fail)) failed"
  }

  var table: String {
    let parts = map(\.part.count).max() ?? 0
    let table = TextTable([.init(width: 4), .init(width: parts), .init()])
    let rows = map { table.line([$0.verdict.rawValue, $0.part, $0.text]) }
    return (rows + [verdict]).joined(separator: "\n")
  }

  var json: String {
    var writer = JSONWriter()
    writer.object { json in
      json.array("checks") { checks in
        for finding in self {
          checks.object {
            $0.field("part", finding.part)
            $0.field("verdict", finding.verdict.rawValue)
            $0.field("text", finding.text)
          }
        }
      }
      json.field("ok", count(.ok))
      json.field("warnings", count(.warn))
      json.field("failed", count(.fail))
    }
    return writer.text
  }
}

extension LineCheck {
  /// - Parameter written: the line as the settings have it.
  func finding(_ part: String, written: String) -> Finding {
    if let problem { return .fail(part, problem) }
    let line = "\(written) is \(resolved ?? "not found")"
    if isOurs { return .ok(part, "\(line), in use by the daemon; see godwit status") }
    return .ok(part, "\(line), and free")
  }
}
