import Core
import Ports

/// A source of evidence or coarse locations, described beside its adapter: its settings, how it is
/// made, and what else the program needs to know of it.
public struct EvidenceSourceDescriptor: Sendable {
  /// The part of the board in `godwit doctor`.
  let name: String
  public let settings: any SettingGroup.Type
  private let makePort: @Sendable (SettingCollection) -> (any EvidencePort)?
  private let networkSetting: @Sendable (SettingCollection) -> String?
  private let examination: @Sendable (SettingCollection) -> [Finding]?

  /// - Parameters:
  ///   - networkUse: the setting because of which the daemon itself needs the network, as
  ///     `wifi.kind = "auto"`; nil: none.
  ///   - examine: what can be found out without using the source; nil: it is to be tried.
  ///   - make: nil: the settings name no such source. Nothing is opened yet.
  init<Settings: SettingGroup>(
    _ name: String, _ settings: Settings.Type,
    networkUse: @escaping @Sendable (Settings) -> String? = { _ in nil },
    examine: @escaping @Sendable (Settings) -> [Finding]? = { _ in nil },
    make: @escaping @Sendable (Settings) -> (any EvidencePort)?
  ) {
    self.name = name
    self.settings = settings
    makePort = { make($0[settings]) }
    networkSetting = { networkUse($0[settings]) }
    examination = { examine($0[settings]) }
  }

  /// Nil: the settings name no such source.
  public func make(_ settings: SettingCollection) -> (any EvidencePort)? { makePort(settings) }

  /// The setting because of which the daemon needs the network; nil: none.
  public func networkUse(_ settings: SettingCollection) -> String? {
    networkSetting(settings)
  }

  /// What can be found out without using the source; nil: it is to be tried.
  public func examine(_ settings: SettingCollection) -> [Finding]? { examination(settings) }
}

/// All sources: a new one is its own folder, and its line here.
public enum EvidenceSourceCatalogue {
  /// In the order of the manual.
  public static let all = [
    MotionSensor.descriptor,
    ExternalPower.descriptor,
    NetworkSource.descriptor,
    AutomaticWiFi.descriptor,
    ModemManagerSource.descriptor,
    GeoClueSource.descriptor,
    OnlineLookUp.descriptor,
  ]
}
