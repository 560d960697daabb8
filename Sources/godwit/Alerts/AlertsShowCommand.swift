import Places
import ArgumentParser
import Core
import Store

/// `godwit alerts show`: everything about one alert.
struct AlertsShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show all properties of an alert, and when it is active.")

  @Argument(help: "Name or number of the alert.") var alert: String
  @OptionGroup var store: StoreOptions
  @Flag(help: "Print a JSON array with one object.") var json = false

  func run() throws {
    let listed = try store.alerts(namingPlaces: true).listed(alert)
    guard json else { return try OutputBytes.print(page(listed)) }
    var listing = Listing(json: true, ListedAlert.columns, fitsRows: true)
    try listing.add(listed)
    try listing.finish()
  }

  private func page(_ alert: ListedAlert) -> String {
    let row = alert.row
    let pause = row.resendPause ?? AlertLimits.usualPause(of: row.kind)
    // A schedule of several lines is joined into one.
    let schedule = row.schedule?.split(whereSeparator: \.isNewline).joined(separator: " ")
    let lines: [(String, String?)] = [
      ("name", row.name), ("id", "\(row.id)"), ("rule", alert.rule),
      ("when", alert.timing?.when), ("now", alert.state), ("schedule", schedule),
      ("accuracy", row.accuracy.map { "\($0.inWords) or better" }),
      ("grace", row.grace?.inWords), ("once", row.isOnce ?? false ? "yes" : nil),
      ("pause", pause > 0 ? pause.inWords : "none"),
    ]
    var page = TextPage(names: 12)
    for (name, text) in lines { page.add(name, [text.map(TerminalText.line)]) }
    return page.text
  }
}
