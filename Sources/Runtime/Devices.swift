import RadioSignals
import Messaging
import Places
import Ports
import Core
import Tracking

/// What this board offers: the ports behind which the adapters stand, real or virtual. What is nil
/// is not there.
public struct Devices {
  public var receiver: (any ReceiverPort)?
  public var powerSwitch: (any PowerSwitchPort)?
  public var monitor: (any PowerMonitorPort)?
  /// What else than GNSS tells of motion, surroundings and places; each is asked by its name.
  public var evidence: [any EvidencePort]
  /// What is learnt of the access points and cells around; nil: nothing is.
  public var radioMap: (any RadioMapPort)?
  /// Who else is asked where the board is by what it hears.
  public var lookUp: (any LookUpPort)?
  /// Whether what identifies access points, gateways and cells is replaced by pseudonyms.
  public var hidesIdentifiers = false
  /// The board's fuel gauge.
  public var battery: (any BatteryPort)?
  /// What runs the user's command for an alert.
  public var noticeCommand: (any NoticeCommandPort)?
  /// What hears Bluetooth beacons.
  public var beaconRadio: (any BeaconRadioPort)?
  public var beacons = BeaconSettings()
  public var store: StoreSource?
  /// What local times mean.
  public var timeZones: any TimeZonePort = WorldTime()
  /// Whether the board is located because of alerts.
  public var looksForAlerts = true
  /// Draws lots where several contents of a place are as good as each other.
  public var chance: any RandomNumberGenerator = SystemRandomNumberGenerator()
  /// Whom the board stands for.
  public var visitor = Visitor("")
  /// Whose the board is among people who exchange letters.
  public var people = PeopleSettings()
  /// Whether a broker takes what is to be sent.
  public var hasBroker = false
  /// Called when there is something to send.
  public var onMail: () -> Void = {}
  /// What the sources have drawn since the start, and draw all the time, as far as it is known.
  public var sourcesEnergy: () -> Joules = { 0 }
  public var sourcesPower: Watts = 0
  /// Whatever else talks to the loop: uplinks, remote controls.
  public var endpoints: [any Endpoint] = []
  public var listeners: [any RecordListener] = []

  /// Those that may place the board.
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
