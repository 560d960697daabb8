import RadioSignals
import Hardware
import GodwitSettings
import Ports
import Core
import Store
import Runtime

/// The configured sources other than GNSS for motion, surroundings and places. Nothing is opened
/// yet.
struct ConfiguredSources {
  private(set) var ports: [any EvidencePort]
  let lookUp: OnlineLookUp?
  /// The radio for beacons; nil if the settings have none.
  let beaconRadio: BlueZRadio?
  let radioMap: RadioMapFiles
  private let settings: Settings
  private let scans: () -> Int

  /// - Parameter store: its path; the radio map is kept beside it.
  init(_ settings: Settings, store: String) {
    self.settings = settings
    let wifi = Self.wifi(settings.wifi)
    scans = wifi.scans
    lookUp = OnlineLookUp(settings.lookUp)
    beaconRadio =
      settings.bluetooth.kind == .bluez
      ? BlueZRadio(settings.bluetooth, leastStrength: settings.beacons.leastStrength) : nil
    let paths = RadioMapPaths(store: store)
    radioMap = RadioMapFiles(
      path: settings.surroundings.radioMap ?? paths.learnt,
      table: settings.cell.table ?? paths.cells)
    let all: [(any EvidencePort)?] = [
      MotionSensor(settings.motion),
      ExternalPower(settings.externalPower),
      NetworkSource(settings.network),
      wifi.port,
      settings.cell.kind == .modemManager ? ModemManagerSource(settings.cell) : nil,
      settings.geoclue.kind == .geoclue2 ? GeoClueSource(settings.geoclue) : nil,
      lookUp,
    ]
    ports = all.compactMap { $0 }
  }

  /// Equips the board with its sources, and with their settings.
  func equip(_ devices: inout Devices) {
    devices.evidence = ports
    devices.lookUp = lookUp
    devices.radioMap = radioMap
    devices.hidesIdentifiers = settings.surroundings.identifiers == .hashed
    let scanEnergy = settings.wifi.scanEnergy
    let listeningPower = settings.bluetooth.listeningPower
    devices.sourcesEnergy = { [scans, beaconRadio] in
      scanEnergy * Double(scans()) + listeningPower * (beaconRadio?.listened ?? 0)
    }
    devices.beacons = settings.beacons
    guard let beaconRadio else { return }
    devices.beaconRadio = beaconRadio
    devices.endpoints.append(DateWatch { [weak beaconRadio] in beaconRadio?.dateWasSet() })
  }

  /// The source, and a counter of the scans it has requested.
  private static func wifi(
    _ settings: WiFiSettings
  ) -> (port: (any EvidencePort)?, scans: () -> Int) {
    switch settings.kind {
    case .automatic:
      let wifi = AutomaticWiFi(NetworkManagerSource(settings)) {
        WiFiKernelSource(interface: settings.interface)
      }
      return (wifi, { wifi.scans })
    case .networkManager:
      let wifi = NetworkManagerSource(settings)
      return (wifi, { wifi.scans })
    case .nl80211: return (WiFiKernelSource(interface: settings.interface), { 0 })
    case .none: return (nil, { 0 })
    }
  }
}
