import ArgumentParser
import Places
import Records
import Store

/// `godwit alerts add`: a new alert.
struct AlertsAddCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add an alert.",
    discussion: """
      Kinds: \(AlertKind.allCases.map(\.rawValue).joined(separator: ", ")). All except \
      \(AlertKind.words(where: { !$0.watchesPlaces })) watch places: one place (--place), all \
      places with a tag (--tag), or all places; --followed limits them to the places that the \
      person of places.person follows. \(AlertKind.words(where: \.needsArming)) guard the \
      position that the board has when they are armed.
      """)

  @Argument(help: "Name of the alert.") var name: String
  @Option(name: .customLong("when"), help: "Kind of the alert.") var kind: AlertKind
  @OptionGroup var options: AlertOptions
  @Flag(help: "Arm it immediately.") var arm = false
  @OptionGroup var store: StoreOptions

  func validate() throws {
    try options.check(for: kind)
    if arm, !kind.needsArming {
      let kinds = AlertKind.words(where: \.needsArming)
      throw ValidationError("--arm is only for \(kinds), not for \(kind.rawValue)")
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
    discussion: "Omitted properties stay unchanged. The kind cannot be changed: add another alert.")

  @Argument(help: "Name or number of the alert.") var alert: String
  @Option(help: "New name.") var name: String?
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
