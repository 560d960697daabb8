import Core
import Records

/// A stay as text, for people who open an export in another program: with the known and the unknown
/// parts of its times.
enum VisitDescription {
  /// "arrived 2026-05-04 07:12, left between 2026-05-04 23:21 and 05-05 11:15 UTC; no position for
  /// 11 h 40 min from 05-04 23:21". In UTC, because an export is the same on every machine.
  static func text(_ visit: Visit) -> String {
    let style = TableStyle.utc
    var text = "arrived \(BoundedTime(visit.arrival).phrase(style))"
    text +=
      visit.departure.map { ", left \(BoundedTime($0).phrase(style)) UTC" }
      ?? " UTC, \(style.stillThere)"
    if visit.isCoarse == true { text += "; coarse positions only" }
    if let gap = visit.gap { text += "; \(BoundedTime.gap(gap, of: visit, style))" }
    return text
  }
}

extension TableStyle {
  /// `2026-05-04 07:12:02`, whatever the machine's time zone.
  static let utc = TableStyle { time in
    let text = ISO8601.text(time, digits: 0)
    // `YYYY-MM-DDThh:mm:ssZ`.
    return "\(text.prefix(10)) \(text.dropFirst(11).dropLast())"
  }
}
