/// A page that needs no other file and no script, for phone and desktop, in light and dark mode.
public struct WebPage: Sendable {
  private static let style: StaticString = """
    :root{color-scheme:light dark}
    body{font:16px/1.5 system-ui,sans-serif;max-width:76rem;margin:0 auto;padding:1rem}
    h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}
    .scroll{overflow-x:auto}
    table{border-collapse:collapse;font-size:.9rem}
    th,td{padding:.3rem .6rem;text-align:right;border-bottom:1px solid #8884;white-space:nowrap}
    th:first-child,td:first-child{text-align:left}
    .warning{border-left:4px solid #d55e00;padding-left:.8rem}
    .note td{text-align:left;padding-top:0}
    code,pre{font:.8rem/1.4 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;
    user-select:all}
    svg{width:100%;height:auto;max-width:40rem}
    """

  private var xml = XMLWriter()

  public init(title: String) {
    xml.bytes = []
    xml.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
    xml.raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n")
    xml.element("title", title)
    xml.raw("\n<style>\n")
    xml.raw(Self.style)
    xml.raw("\n</style>\n<main>\n")
    xml.element("h1", title)
    xml.raw("\n")
  }

  public var bytes: [UInt8] { xml.bytes + Array("</main>\n</html>\n".utf8) }

  public mutating func heading(_ text: String) {
    xml.element("h2", text)
    xml.raw("\n")
  }

  public mutating func paragraph(_ text: String) {
    xml.element("p", text)
    xml.raw("\n")
  }

  /// Text that has to be read before the figures.
  public mutating func warning(_ text: String) {
    xml.raw("<p class=\"warning\">")
    xml.text(text)
    xml.raw("</p>\n")
  }

  public mutating func list(_ items: [String]) {
    xml.raw("<ul>\n")
    for item in items {
      xml.element("li", item)
      xml.raw("\n")
    }
    xml.raw("</ul>\n")
  }

  /// A table whose first column names the rows; it scrolls separately if it is too wide.
  public mutating func table(_ heads: [String], _ rows: [[String]]) {
    table(heads, rows.map { ($0, nil) })
  }

  /// - Parameter rows: each with a note below it, such as the command that made it.
  public mutating func table(_ heads: [String], _ rows: [(cells: [String], note: String?)]) {
    xml.raw("<div class=\"scroll\"><table>\n<tr>")
    for head in heads { xml.element("th", head) }
    xml.raw("</tr>\n")
    for row in rows {
      xml.raw("<tr>")
      for cell in row.cells { xml.element("td", cell) }
      xml.raw("</tr>\n")
      guard let note = row.note else { continue }
      xml.raw("<tr class=\"note\"><td colspan=\"")
      xml.number(Double(heads.count), digits: 0)
      xml.raw("\">")
      xml.element("code", note)
      xml.raw("</td></tr>\n")
    }
    xml.raw("</table></div>\n")
  }

  /// A long text that is shown on demand.
  public mutating func details(_ title: String, _ text: String) {
    xml.raw("<details>")
    xml.element("summary", title)
    xml.element("pre", text)
    xml.raw("</details>\n")
  }

  public mutating func figure(_ chart: LineChart) {
    xml.raw("<figure style=\"margin:1rem 0\">\n")
    xml.bytes += Array(chart.markup.utf8)
    xml.raw("</figure>\n")
  }
}
