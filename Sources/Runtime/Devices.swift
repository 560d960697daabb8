import RadioSignals
import Messaging
import Places
import Ports
import Core
import Tracking

/// The hardware of this board: the ports, with real or virtual adapters behind them. Nil: not
/// present.
public struct Devices {
  public var receiver: (any ReceiverPort)?
  public var powerSwitch: (any PowerSwitchPort)?
  public var monitor: (any PowerMonitorPort)?
  /// The sources other than GNSS for motion, surroundings and places; each is addressed by its
  /// name.
  public var evidence: [any EvidencePort]
  /// Learns where access points and cells are; nil: nothing is learnt.
  public var radioMap: (any RadioMapPort)?
  /// An external service that locates the board by the access points and cells it receives.
  public var lookUp: (any LookUpPort)?
  /// Whether identifiers of access points, gateways and cells are replaced by pseudonyms.
  public var hidesIdentifiers = false
  /// The board's fuel gauge.
  public var battery: (any BatteryPort)?
  /// Runs the user's command for an alert.
  public var noticeCommand: (any NoticeCommandPort)?
  /// The Bluetooth radio for beacons.
  public var beaconRadio: (any BeaconRadioPort)?
  public var beacons = BeaconSettings()
  public var store: StoreSource?
  /// What local times mean.
  public var timeZones: any TimeZonePort = UTCTimeZones()
  /// Whether the board is located because of alerts.
  public var locatesForAlerts = true
  /// Breaks ties between contents of a place with equal scores.
  public var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  /// The visitor that the board represents.
  public var visitor = Visitor("")
  /// The owner's identity among people who exchange letters.
  public var people = PeopleSettings()
  /// Whether there is a broker for what is to be sent.
  public var hasBroker = false
  /// Called when there is something to send.
  public var onPending: () -> Void = {}
  /// The energy that the sources have drawn since the start, and their continuous power, as far as
  /// known.
  public var sourcesEnergy: () -> Joules = { 0 }
  public var sourcesPower: Watts = 0
  /// Other endpoints on the loop: uplinks, remote controls.
  public var endpoints: [any Endpoint] = []
  public var listeners: [any RecordListener] = []

  /// The evidence sources that may locate the board.
  public var coarseSources: [CoarseSource] { evidence.compactMap(CoarseSource.init) }

  /// The names of all.
  public var evidenceSources: [String] { evidence.map(\.name) }

  public init(
    receiver: (any ReceiverPort)? = nil, powerSwitch: (any PowerSwitchPort)? = nil,
    monitor: (any PowerMonitorPort)? = nil,
    evidence: [any EvidencePort] = [], store: (any StorePort)? = nil
  ) {
    self.receiver = receiver
    self.powerSwitch = powerSwitch
    self.monitor = monitor
    self.evidence = evidence
    self.store = store.map { StoreSource($0) }
  }
}
