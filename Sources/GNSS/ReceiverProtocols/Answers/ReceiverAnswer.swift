import Core

/// A receiver's report about itself, or an answer to a command. Its texts are printable ASCII of at
/// most 128 characters (gpsd's: 512): other characters were replaced by `?`, and longer texts were
/// truncated.
public enum ReceiverAnswer: Hashable, Sendable {
  /// UBX-ACK-ACK or UBX-ACK-NAK.
  case ubxAcknowledgement(UBXAcknowledgement)
  /// UBX-MON-VER.
  case ubxVersion(UBXVersion)
  /// UBX-MON-RXR, M8 and later: the receiver enters backup, or has woken. Sent only if the message
  /// is enabled.
  case ubxReadiness(isAwake: Bool)
  /// UBX-UPD-SOS.
  case navigationDataBackup(NavigationDataBackup)
  /// UBX-MGA-DBD.
  case navigationData(NavigationDataMessage)
  /// UBX-MGA-ACK.
  case assistance(AssistanceAcknowledgement)
  /// PMTK001.
  case mtkAcknowledgement(MTKAcknowledgement)
  /// PMTK705.
  case mtkVersion(MTKVersion)
  /// PMTK010: 1 after a start, 2 when the receiver is ready or awake.
  case mtkStartup(Int)
  /// PMTK011: "MTKGPS".
  case mtkText(String)
  /// PAIR001.
  case pairAcknowledgement(PAIRAcknowledgement)
  /// PAIR020 and PAIR021.
  case pairVersion(PAIRVersion)
  /// PAIR010: a request for predicted orbits, time or position.
  case pairRequest(PAIRRequest)
  /// An informational TXT sentence or UBX-INF-NOTICE; warnings and errors are not passed on.
  case notice(String)
  /// The state of the antenna supply in a TXT sentence.
  case antenna(AntennaState)
  /// gpsd's VERSION: its release.
  case gpsdVersion(String)
  /// One device of gpsd's DEVICES, or a DEVICE.
  case gpsdDevice(GpsdDevice)
  /// gpsd's ERROR: its message.
  case gpsdError(String)

  /// The answer with which the receiver refuses a sleep command; nil for everything else. An
  /// acknowledgement proves nothing: only silence shows that a receiver sleeps.
  var sleepRefusal: String? {
    switch self {
    case .ubxAcknowledgement(let reply)
    where !reply.isAccepted && (reply.messageClass, reply.messageID) == UBXPower.sleepCommand:
      "UBX-ACK-NAK"
    case .mtkAcknowledgement(let reply)
    where reply.result != .done && MTKCommand.sleepCommands.contains(reply.command):
      "PMTK001 \(reply.result)"
    // After `pending`, a second answer follows.
    case .pairAcknowledgement(let reply)
    where reply.command == PAIRCommand.sleepCommand && reply.result != .done
      && reply.result != .pending:
      "PAIR001 \(reply.result)"
    default: nil
    }
  }
}

/// The state at the receiver's antenna connector: `ANTSTATUS=` of u-blox, `ANTENNA` and a word of
/// CASIC and others, proprietary sentences of MediaTek and Quectel.
public enum AntennaState: Hashable, Sendable {
  case good, open, short

  /// Nil: the text does not concern the antenna.
  init?(_ text: String) {
    let words = text.uppercased().split { " =:".contains($0) }
    guard let place = words.firstIndex(where: { ["ANTENNA", "ANTSTATUS"].contains($0) }),
      place + 1 < words.count
    else { return nil }
    self.init(word: String(words[place + 1]))
  }

  private init?(word: String) {
    switch word {
    case "OK", "OK_INT", "OK_EXT": self = .good
    case "OPEN": self = .open
    case "SHORT": self = .short
    default: return nil
    }
  }

  /// `PGTOP,11,1` of MediaTek (GlobalTop): 1 short, 2 internal antenna, 3 external antenna.
  /// `PQTMANTENNASTATUS,2,3` of Quectel: the version, and 1 normal, 2 open, 3 short; some send a
  /// word alone. Nil: the sentence does not concern the antenna.
  init?(proprietary body: UnsafeBufferPointer<UInt8>) {
    if body.starts(with: "PGTOP,11,".utf8), body.count == 10 {
      switch body[9] {
      case UInt8(ascii: "1"): self = .short
      case UInt8(ascii: "2"), UInt8(ascii: "3"): self = .good
      default: return nil
      }
      return
    }
    guard body.starts(with: "PQTMANTENNASTATUS,".utf8) else { return nil }
    let fields = AnswerText.fields(UnsafeBufferPointer(rebasing: body[18...]))
    switch fields.count > 1 ? fields[1] : "" {
    case "1": self = .good
    case "2": self = .open
    case "3": self = .short
    default: self.init(word: fields[0])
    }
  }
}

/// A u-blox receiver's acknowledgement of a command.
public struct UBXAcknowledgement: Hashable, Sendable {
  /// ACK-ACK; otherwise ACK-NAK: the command was rejected or is unknown.
  let isAccepted: Bool
  /// Class and id of the command.
  let messageClass: UInt8
  let messageID: UInt8

  public init(isAccepted: Bool, messageClass: UInt8, messageID: UInt8) {
    self.isAccepted = isAccepted
    self.messageClass = messageClass
    self.messageID = messageID
  }
}

/// The result of saving or restoring navigation data in the receiver's flash. M8 receiver
/// description, "UBX-UPD-SOS".
public enum NavigationDataBackup: Hashable, Sendable {
  /// The receiver has saved it: the supply may be cut.
  case saved
  /// It could not be saved, perhaps because there is no flash.
  case notSaved
  /// It was restored at the start.
  case restored
  /// There was nothing to restore.
  case nothingToRestore
  /// There was a backup, but it could not be restored.
  case restoringFailed
  /// The receiver does not know the result.
  case unknown

  /// Whether it answers a save command; the other cases concern the start.
  var answersSaving: Bool { self == .saved || self == .notSaved }
}

/// One message of the navigation database (UBX-MGA-DBD), stored unchanged. Its content is specific
/// to the receiver, and can only be sent back to it.
public struct NavigationDataMessage: Hashable, Sendable {
  /// More than any receiver sends: 12 bytes and up to 164 of data.
  static let maxPayloadSize = 256

  let payload: [UInt8]

  /// Nil if no receiver can have sent it.
  public init?(payload: [UInt8]) {
    guard (12...Self.maxPayloadSize).contains(payload.count) else { return nil }
    self.payload = payload
  }

  /// The frame as the receiver sent it, and accepts it again.
  var frame: [UInt8] { UBXCommand.frame(0x13, 0x80, payload) }
}

/// A u-blox receiver's acknowledgement of assistance (UBX-MGA-ACK-DATA0). Sent only if
/// `CFG-NAVSPG-ACKAIDING` or UBX-CFG-NAVX5 enables it.
public struct AssistanceAcknowledgement: Hashable, Sendable {
  let isUsed: Bool
  /// The reason for a rejection: 1 unknown time, 2 version, 3 size, 4 no room, 5 not ready, 6 type.
  let reason: UInt8
  /// The id of the message within class MGA.
  let messageID: UInt8
}

/// PMTK001: the result of a command.
public struct MTKAcknowledgement: Hashable, Sendable {
  public enum Result: Int, Sendable {
    case invalid, unsupported, failed, done
  }

  /// The command's number: 161 for PMTK161.
  let command: Int
  let result: Result

  public init(command: Int, result: Result) {
    self.command = command
    self.result = result
  }
}

/// PMTK705: the firmware's release and, in most modules, the module's name.
public struct MTKVersion: Hashable, Sendable {
  let release: String
  let build: String
  /// Empty in some firmware.
  let product: String

  public init(release: String, build: String, product: String) {
    self.release = release
    self.build = build
    self.product = product
  }
}

/// PAIR001: the result of a command.
public struct PAIRAcknowledgement: Hashable, Sendable {
  public enum Result: Int, Sendable {
    /// `pending`: a second PAIR001 follows.
    case done, pending, failed, unsupported, badParameter, busy
  }

  /// The command's number: 650 for PAIR650.
  let command: Int
  let result: Result

  public init(command: Int, result: Result) {
    self.command = command
    self.result = result
  }
}

/// PAIR020 and PAIR021: "AG3352Q_V2.5.0.AG3352_20230420".
public struct PAIRVersion: Hashable, Sendable {
  let chip: String
  let firmware: String
}

/// PAIR010: the data that the receiver requests.
public enum PAIRRequest: Int, Hashable, Sendable {
  case predictedOrbits, time, position
}

/// A device that gpsd serves: gpsd_json(5), "DEVICE".
public struct GpsdDevice: Hashable, Sendable {
  public let path: String
  /// "u-blox", "MTK-3301", "NMEA0183"; nil until gpsd has recognised the device.
  public let driver: String?
  /// The driver's information about firmware and hardware.
  public let subtype: String?
  public let subtype1: String?
  /// The speed of the serial line.
  public let baud: Int?
  /// False when gpsd has closed the device.
  let isActive: Bool
}

/// Untrusted text, made printable and bounded.
enum AnswerText {
  static let maxLength = 128

  /// Up to the first NUL; everything except printable ASCII becomes `?`.
  static func printable(_ bytes: some Sequence<UInt8>, atMost length: Int = maxLength) -> String {
    let text = TerminalText.ascii(bytes.prefix { $0 != 0 }, atMost: length)
    guard let end = text.lastIndex(where: { $0 != " " }) else { return "" }
    return String(text[...end])
  }

  /// The comma-separated fields.
  static func fields(_ bytes: UnsafeBufferPointer<UInt8>) -> [String] {
    bytes.split(separator: UInt8(ascii: ","), maxSplits: 31, omittingEmptySubsequences: false)
      .map { printable($0) }
  }
}
