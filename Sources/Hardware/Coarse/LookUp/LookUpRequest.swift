import Core
import Records

/// The request to the server, for Ichnaea's interface (`/v1/geolocate`), which BeaconDB and others
/// implement.
struct LookUpRequest: Equatable {
  /// A server gives no position for one access point alone: with that, anyone could track it.
  static let fewestAccessPoints = 2
  /// The strongest ones; more do not improve the position, and these fit into a pipe before it is
  /// read.
  static let mostAccessPoints = 24

  let body: [UInt8]

  /// Nil: too little received for a request.
  init?(_ scan: AccessPointScan, cell: CellIdentity?) {
    let strongest = scan.signals.filter(\.strength.isFinite)
      .sorted { ($1.strength, $0.bssid) < ($0.strength, $1.bssid) }.prefix(Self.mostAccessPoints)
    let accessPoints = strongest.count >= Self.fewestAccessPoints ? Array(strongest) : []
    let tower = cell.flatMap(Self.tower)
    guard !accessPoints.isEmpty || tower != nil else { return nil }
    let request = JSONValue.object([
      // The address of the connection gives the provider's town, not the position of the board.
      ("considerIp", .bool(false)),
      ("wifiAccessPoints", .array(accessPoints.map { Self.accessPoint($0, age: scan.age.value) })),
      ("cellTowers", .array(tower.map { [$0] } ?? [])),
      ("fallbacks", .object([("ipf", .bool(false)), ("lacf", .bool(false))])),
    ])
    body = Array(request.text.utf8)
  }

  private static func accessPoint(_ signal: AccessPointSignal, age: Double) -> JSONValue {
    .object([
      ("macAddress", .string(signal.bssid)),
      ("signalStrength", .rounded(signal.strength, digits: 0)),
      ("age", .rounded(max(0, age) * 1000, digits: 0)),
    ])
  }

  /// Nil if the interface has no such radio.
  private static func tower(_ cell: CellIdentity) -> JSONValue? {
    let radio: String
    switch cell.radio {
    case .gsm: radio = "gsm"
    case .umts: radio = "wcdma"
    case .lte: radio = "lte"
    case .nr: radio = "nr"
    case .cdma: return nil
    }
    return .object([
      ("radioType", .string(radio)), ("mobileCountryCode", .count(cell.mcc)),
      ("mobileNetworkCode", .count(cell.mnc)), ("locationAreaCode", .count(cell.area)),
      ("cellId", .count(cell.cell)),
    ])
  }
}
