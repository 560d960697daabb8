import ArgumentParser
import Config
import GodwitSettings
import Store

/// `godwit manual`: the pages of the manual, for packagers and `make man`.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print a page of the manual.", shouldDisplay: false)

  /// Named like their files.
  enum Page: String, CaseIterable, ExpressibleByArgument {
    case program = "godwit.1"
    case settings = "godwit.toml.5"
    case store = "godwit.gpkg.5"
  }

  @Argument(help: "Name of the page.") var page: Page
  @Option(help: "Date of this version, such as \"May 1, 2026\".") var date: String

  func run() throws {
    let text =
      switch page {
      case .program: try CommandManual.render(date: date)
      case .settings: SettingsManual.render(Settings.self, date: date)
      case .store: StoreManual.render(date: date)
      }
    try OutputBytes.print(text, terminator: "")
  }
}
