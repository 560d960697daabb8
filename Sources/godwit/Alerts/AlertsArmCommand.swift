import ArgumentParser
import Core
import Records
import Store

/// `godwit alerts arm`: puts an alert in force, or sets its circle here and now.
struct AlertsArmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "arm", abstract: "Put an alert in force; of moved and anchor: guard from now on.",
    discussion: """
      The circle of an alert of the kinds moved and anchor is drawn where the board is now, or \
      where --at says, also of one that is armed already. One that was to be raised once, and was, \
      is in force again.
      """)

  @Argument(help: "Its name or its number.") var alert: String
  @Option(
    help: ArgumentHelp("Where the circle is drawn.", valueName: "lat,lon"),
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
    commandName: "disarm", abstract: "Take an alert out of force; of moved and anchor: stop.")

  @Argument(help: "Its name or its number.") var alert: String
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
