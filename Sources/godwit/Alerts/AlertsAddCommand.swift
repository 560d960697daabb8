import Places
import ArgumentParser
import Core
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
  @Option(help: "The place: its name, its UUID, or the first digits of that.") var place: String?
  @Option(help: "All places with this tag.") var tag: String?
  @Flag(help: "Only places that the board's person follows.") var followed = false
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("For dwell: how long the board has to stay.", valueName: "minutes"))
  var stay: Double?
  @Option(help: ArgumentHelp("For near: how near.", valueName: "m")) var within: Double?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("For moved and anchor: the circle.", valueName: "m"))
  var radius: Double?
  @Option(help: ArgumentHelp("For anchor: how long outside is allowed.", valueName: "s"))
  var grace: Double?
  @Option(help: ArgumentHelp("Only by locations known as well as this.", valueName: "m"))
  var accuracy: Double?
  @OptionGroup var hours: AlertHours
  @Flag(help: "Raise it once only.") var once = false
  @Option(
    help: ArgumentHelp(
      "Not again for so long, for the same place: what happens meanwhile is not told. Without it "
        + "\(Int(AlertLimits.resendPause.value / 60)) minutes; for changed 0.",
      valueName: "minutes"))
  var pause: Double?
  @Option(help: "For moved and anchor: hand, schedule or ignition.") var armedBy: AlertArming?
  @Flag(help: "Arm it at once.") var arm = false
  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard place == nil || tag == nil else {
      throw ValidationError("give one of --place and --tag")
    }
    for option in misplaced where !option.kinds.contains(kind) {
      let kinds = option.kinds.map(\.rawValue).sorted().joined(separator: ", ")
      throw ValidationError("\(option.name) is for \(kinds): \(kind.rawValue) has none")
    }
  }

  /// What was said that only some kinds have, and which.
  private var misplaced: [(name: String, kinds: Set<AlertKind>)] {
    let guards: Set<AlertKind> = [.moved, .anchor]
    let places = Set(AlertKind.allCases).subtracting(guards)
    let options: [(name: String, isGiven: Bool, kinds: Set<AlertKind>)] = [
      ("--place", place != nil, places), ("--tag", tag != nil, places),
      ("--followed", followed, places), ("--for", stay != nil, [.dwell]),
      ("--within", within != nil, [.near]), ("--radius", radius != nil, guards),
      ("--grace", grace != nil, guards), ("--by", hours.by != nil, [.notThereBy, .notBackBy]),
      ("--armed-by", armedBy != nil, guards), ("--arm", arm, guards),
    ]
    return options.filter(\.isGiven).map { ($0.name, $0.kinds) }
  }

  func run() throws {
    let row = try row()
    let zones = SystemTimeZones()
    do throws(AlertError) {
      _ = try Alert(row, local: zones.local, zones: zones.zone)
    } catch {
      throw CommandError.wrongUsage(error.description)
    }
    var id: Int64 = 0
    try store.editAlerts { id = try $0.add(row) }
    try OutputBytes.print("\(id)")
  }

  private func row() throws -> StoredAlert {
    var row = StoredAlert(id: 0)
    row.name = name
    row.kind = kind.rawValue
    if let place { row.place = try store.places().place(place).id.description }
    row.tag = tag
    row.stay = stay.map { Seconds($0 * 60) }
    row.distance = within.map { Metres($0) }
    row.radius = radius.map { Metres($0) }
    row.grace = grace.map { Seconds($0) }
    row.accuracy = accuracy.map { Metres($0) }
    row.schedule = hours.calendar
    row.isOnce = once
    row.resendPause = pause.map { Seconds($0 * 60) }
    row.isEnabled = true
    row.armedBy = armedBy?.rawValue
    row.isArmed = arm
    if followed { row.isFollowed = true }
    return row
  }
}

extension AlertKind: ExpressibleByArgument {}
extension AlertArming: ExpressibleByArgument {}
