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
  private let ports: [any EvidencePort]
  /// The radio for beacons; nil if the settings have none.
  let beaconRadio: BlueZRadio?
  let radioMap: RadioMapFiles
  private let settings: Settings

  /// - Parameter store: its path; the radio map is kept beside it.
  init(_ settings: Settings, store: String) {
    self.settings = settings
    ports = EvidenceSourceCatalogue.all.compactMap { $0.make(settings.sources) }
    beaconRadio =
      settings.bluetooth.kind == .bluez
      ? BlueZRadio(settings.bluetooth, leastStrength: settings.beacons.leastStrength) : nil
    let paths = RadioMapPaths(store: store)
    radioMap = RadioMapFiles(
      path: settings.surroundings.radioMap ?? paths.learnt,
      table: settings.sources[CellSettings.self].table ?? paths.cells)
  }

  /// Equips the board with its sources, and with their settings.
  func equip(_ devices: inout Devices) {
    devices.evidence = ports
    devices.lookUp = ports.lazy.compactMap { $0 as? any LookUpPort }.first
    devices.radioMap = radioMap
    devices.hidesIdentifiers = settings.surroundings.identifiers == .hashed
    let listeningPower = settings.bluetooth.listeningPower
    devices.sourcesEnergy = { [ports, beaconRadio] in
      ports.reduce(listeningPower * (beaconRadio?.listened ?? 0)) { $0 + $1.energy }
    }
    devices.beacons = settings.beacons
    guard let beaconRadio else { return }
    devices.beaconRadio = beaconRadio
    devices.endpoints.append(DateWatch { [weak beaconRadio] in beaconRadio?.dateWasSet() })
  }
}
