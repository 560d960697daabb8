import ArgumentParser
import Places
import Records
import Store

/// `godwit alerts add`: a new alert.
struct AlertsAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an alert.",
    discussion: """
      Kinds: \(AlertKind.allCases.map(\.rawValue).joined(separator: ", ")). All but moved \
      and anchor are about places: one with --place, all that have a tag with --tag, or all that \
      there are, and with --followed only those of them that the person of places.person follows. \
      moved and anchor guard the board where it is when they are armed.
      """)

  @Argument(help: "What it is called.") var name: String
  @Option(name: .customLong("when"), help: "Its kind.") var kind: AlertKind
  @OptionGroup var options: AlertOptions
  @Flag(help: "Arm it at once.") var arm = false
  @OptionGroup var store: StoreOptions

  func validate() throws {
    try options.check(for: kind)
    if arm, !kind.needsArming {
      throw ValidationError("--arm is for anchor, moved: \(kind.rawValue) has none")
    }
  }

  func run() throws {
    var row = StoredAlert(id: 0)
    row.name = name
    row.kind = kind.rawValue
    row.isOnce = false
    row.isEnabled = true
    row.isArmed = arm
    try options.apply(to: &row) { try store.places() }
    try row.requireValid()
    var id: Int64 = 0
    try store.editAlerts { id = try $0.add(row) }
    try OutputBytes.print("\(id)")
  }
}

/// `godwit alerts edit`: changes an alert.
struct AlertsEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change an alert.",
    discussion: "What you do not give stays as it is. Its kind cannot be changed: add another.")

  @Argument(help: "Its name or its number.") var alert: String
  @Option(help: "Its new name.") var name: String?
  @OptionGroup var options: AlertOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let row = try store.alerts().row(alert)
    if let kind = row.kind.flatMap(AlertKind.init) { try options.check(for: kind) }
    var new = row
    if let name { new.name = name }
    try options.apply(to: &new) { try store.places() }
    try new.requireValid()
    try store.editAlerts { try $0.replace(row, with: new) }
  }
}
