import ArgumentParser
import Core
import Records
import Store

/// `godwit alerts arm`: puts an alert in force, or sets its circle here and now.
struct AlertsArmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "arm",
    abstract: "Enable an alert; for \(AlertKind.words(where: \.needsArming)), start to guard.",
    discussion: """
      An alert of kind \(AlertKind.words(where: \.needsArming, joinedBy: "or")) draws its circle \
      around the present position, or around --at, even if it is armed already. An alert that was \
      raised and had --once is enabled again.
      """)

  @Argument(help: "Name or number of the alert.") var alert: String
  @Option(
    help: ArgumentHelp("Centre of the circle.", valueName: "lat,lon"),
    transform: PositionOption.read)
  var at: PositionOption?
  @OptionGroup var store: StoreOptions

  func run() throws {
    var row = try store.alerts().row(alert)
    if row.isArmed ?? false {
      // The daemon drops a circle when the alert is disarmed.
      var disarmed = row
      disarmed.isArmed = false
      try store.editAlerts { try $0.replace(row, with: disarmed) }
      row = disarmed
    }
    var new = row
    new.isArmed = true
    new.isEnabled = true
    if let position = at?.position {
      new.centreLatitude = position.latitude
      new.centreLongitude = position.longitude
    }
    try store.editAlerts { try $0.replace(row, with: new) }
  }
}

/// `godwit alerts disarm`: takes an alert out of force.
struct AlertsDisarmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disarm",
    abstract: "Disable an alert; for \(AlertKind.words(where: \.needsArming)), stop guarding.")

  @Argument(help: "Name or number of the alert.") var alert: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let row = try store.alerts().row(alert)
    var new = row
    new.isArmed = false
    if !row.needsArming || row.armedBy.map({ $0 != AlertArming.hand.rawValue }) ?? false {
      new.isEnabled = false
    }
    try store.editAlerts { try $0.replace(row, with: new) }
  }
}
