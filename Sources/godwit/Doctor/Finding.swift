import Core
import Ports

/// One line of the report.
typealias Finding = Ports.Finding

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
