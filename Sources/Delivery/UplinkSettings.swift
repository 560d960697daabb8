import Core

/// The recipients of the board's records, and when they are sent.
public struct UplinkSettings: SettingGroup {
  public private(set) var path = "/var/lib/godwit-uplink/uplink.db"
  /// How long received messages are kept.
  public private(set) var retention: Seconds = .hours(24 * 7)
  /// Limit of waiting messages.
  public private(set) var mostWaiting = 100_000
  /// Over the network, in both directions; 0: no limit.
  public private(set) var dailyBytes = 0
  /// Records handed to a collector and not acknowledged are sent again after so long.
  public private(set) var receiptTime: Seconds = 3600
  /// How long new records wait for more before they are sent; 0: the uplink stays connected.
  public private(set) var delay: Seconds = 900
  /// The same for crossings of places and alerts.
  private(set) var alertDelay: Seconds = 0
  /// The daemon's socket for announcing new records.
  public private(set) var socket = "/run/godwit-uplink.sock"
  public private(set) var user = "godwit"
  public private(set) var tracker = "gw"
  /// The file with the passphrase for OwnTracks' messages; nil: they are not encrypted.
  public private(set) var encryptedFile: String?
  public private(set) var mqtt = MQTTSettings()
  private var requestSettings = RequestSettings()
  public private(set) var privacy = PrivacySettings()
  private var receivers = WebProtocols.all.map { WebSettings($0.recipient) }

  public init() {}

  /// The enabled recipients.
  public var recipients: [Recipient] {
    (mqtt.brokers.isEmpty ? [] : mqtt.recipients) + web.map(\.recipient)
  }

  /// The enabled receivers of web requests.
  public var web: [WebSettings] { receivers.filter { $0.place != nil } }

  /// Turns records into messages for the enabled recipients, in the order of `recipients`.
  var encoders: [any RecordEncoder] {
    (mqtt.brokers.isEmpty ? [] : mqtt.encoders) + web.map { $0.receiver }
  }

  /// Which remote requests are allowed.
  public var requests: RequestSettings.Scope { requestSettings.scope }
  /// Topics for answers in addition to the board's own, and below these.
  public var answerTopics: [String] { requestSettings.answerTopics }
  /// Interval of checks for remote requests.
  public var requestInterval: Seconds { requestSettings.pause }

  /// Whether the uplink stays connected when everything is sent.
  public var staysConnected: Bool { delay == 0 }

  /// Whether records are sent at all.
  public var isOn: Bool { !recipients.isEmpty || requests != .none && !mqtt.brokers.isEmpty }

  /// Whether peer messages, groups and meetings are sent over a broker.
  public var sendsPeerMessages: Bool { recipients.contains(.people) && !mqtt.brokers.isEmpty }

  /// The part that the daemon uses, at its start; the rest concerns only the uplink's process.
  public struct DaemonPart: Hashable, Sendable {
    /// Whether changes are logged and the uplink is started.
    public let isOn: Bool
    public let carriesMessages: Bool
    public let socket: String
    public let delay: Seconds
    public let alertDelay: Seconds

    private var members: [AnyHashable] { [isOn, carriesMessages, socket, delay, alertDelay] }

    /// The indices of members that differ.
    public func differences(from other: Self) -> Set<Int> {
      Set(members.indices.filter { members[$0] != other.members[$0] })
    }
  }

  public var daemonPart: DaemonPart {
    DaemonPart(
      isOn: isOn, carriesMessages: sendsPeerMessages, socket: socket, delay: delay,
      alertDelay: alertDelay)
  }

  static let moment = SettingActivation.atNextRun(of: "godwit uplink")

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "uplink", counts: Self.moment,
      "Upload of records over a network, by the separate process godwit uplink. Nothing leaves the "
        + "board before a recipient is set. Setting the first recipient, or removing the last one, "
        + "takes effect in the daemon at its next start; a reload reports that.")
    setting(
      "path", &path, .text(bytes: 1...4095),
      "File of the outbox, with the messages that wait. Created if missing.")
    setting(
      "retention_days", &retention, .quantity(0...365),
      "Time for which received messages are kept.")
    setting(
      "most_waiting", &mostWaiting, .integer(100...10_000_000),
      "Maximum number of messages that wait or were refused. Beyond it the oldest are deleted: "
        + "refused ones first, visits and alerts last.")
    setting(
      "daily_bytes", &dailyBytes, .integer(0...1_000_000_000_000),
      "Maximum traffic of a day (UTC), sent and received; the last fifth is reserved for visits "
        + "and alerts. 0: unlimited.")
    setting(
      "delay_s", &delay, .quantity(0...604_800),
      "Maximum time for which records wait for others before they are sent. 0: no wait; the uplink "
        + "stays connected, and reads its settings again when the daemon is reloaded or "
        + "restarted. Positions are committed by then, regardless of "
        + "store.commit_interval_s.", counts: .atStart)
    setting(
      "alert_delay_s", &alertDelay, .quantity(0...604_800),
      "The same for crossings of places and alerts, if shorter.", counts: .atStart)
    setting(
      "socket", &socket, .text(bytes: 1...107),
      "Socket through which the daemon announces new records: as in godwit-uplink.socket.",
      counts: .atStart)
    setting(
      "receipt_s", &receiptTime, .quantity(0...604_800),
      "Time after which records without acknowledgement of a collector are sent again.")
    setting(
      "user", &user, .text(bytes: 1...64), "Name of the owner of the board: a level of its topics.")
    setting(
      "tracker_id", &tracker, .text(bytes: 1...2),
      "One or two characters that represent the board on OwnTracks' maps.")
    setting(
      "owntracks_key_file", &encryptedFile, .file,
      "File with only the pass phrase, 1 to 32 bytes, that encrypts OwnTracks' messages. Empty: no "
        + "encryption besides TLS.")
    requestSettings.declare(setting)
    privacy.declare(setting)
    mqtt.declare(setting)
    for index in receivers.indices { receivers[index].declare(setting) }
  }
}
