/// A modem, from the list of all of ModemManager's objects.
struct ModemSnapshot {
  private static let modem = "org.freedesktop.ModemManager1.Modem"
  static let location = modem + ".Location"

  let path: String
  private(set) var model = ""
  /// Whether it can report its cell at all, in whatever state.
  private(set) var hasLocation = false
  /// MMModemLocationSource: the available and the enabled sources.
  private(set) var capabilities: Int64 = 0
  private(set) var enabled: Int64 = 0
  private(set) var signalsLocation = false
  private(set) var technologies: Int64 = 0
  private var state: Int64 = 0
  private var failure: Int64 = 0
  private var names: Set<String> = []

  /// Nil: there is no such modem.
  /// - Parameter name: a serial number or a device; nil: the first that can report its cell, else
  ///   the first.
  static func chosen(of objects: BusMessage, named name: String?) -> ModemSnapshot? {
    var chosen: ModemSnapshot?
    objects.entries("oa{sa{sv}}", atMost: 64) {
      guard let path = objects.text(), let modem = ModemSnapshot(path, objects),
        name.map(modem.names.contains) ?? true
      else { return }
      if chosen.map(modem.comesBefore) ?? true { chosen = modem }
    }
    return chosen
  }

  private init?(_ path: String, _ objects: BusMessage) {
    self.path = path
    var isModem = false
    objects.entries("sa{sv}") {
      switch objects.text() {
      case Self.modem:
        isModem = true
        objects.properties { readModem($0, objects) }
      case Self.location:
        hasLocation = true
        objects.properties { readLocation($0, objects) }
      default: break
      }
    }
    guard isModem else { return nil }
  }

  private mutating func readModem(_ property: String, _ objects: BusMessage) {
    switch property {
    case "Model": model = objects.text(atMost: 64) ?? ""
    case "State": state = objects.integer() ?? 0
    case "StateFailedReason": failure = objects.integer() ?? 0
    case "AccessTechnologies": technologies = objects.integer() ?? 0
    case "EquipmentIdentifier", "Device", "DeviceIdentifier", "PrimaryPort":
      if let name = objects.text(atMost: 256), !name.isEmpty { names.insert(name) }
    default: break
    }
  }

  private mutating func readLocation(_ property: String, _ objects: BusMessage) {
    switch property {
    case "Capabilities": capabilities = objects.integer() ?? 0
    case "Enabled": enabled = objects.integer() ?? 0
    case "SignalsLocation": signalsLocation = objects.boolean() ?? false
    default: break
    }
  }

  private func comesBefore(_ other: ModemSnapshot) -> Bool {
    reportsCell != other.reportsCell ? reportsCell : path < other.path
  }

  var reportsCell: Bool { hasLocation && capabilities & Int64(CellReport.source) != 0 }

  /// Why it cannot report its cell now; nil: it can.
  var obstacle: String? {
    // MM_MODEM_STATE_FAILED and MMModemStateFailedReason.
    if state == -1 {
      switch failure {
      case 2: return "has no SIM; insert one"
      case 3: return "cannot read its SIM; check its orientation"
      default: return "has failed (reason \(failure)); see \"mmcli -m any\""
      }
    }
    // MM_MODEM_STATE_LOCKED
    if state == 2 { return "waits for the SIM's PIN; unlock it with \"mmcli -i any --pin\"" }
    return reportsCell ? nil : "does not report its cell; set cell.kind to \"none\""
  }
}
