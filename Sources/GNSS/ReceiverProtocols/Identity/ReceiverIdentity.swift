/// A receiver's identity, which is learnt from its answers in any order.
public struct ReceiverIdentity: Hashable, Sendable {
  public private(set) var vendor: String?
  /// The module, if the receiver reports it: "NEO-M8N-0", "PA1010D", "ATGM336H".
  public private(set) var model: String?
  /// "00080000", "AG3352Q", "AT6558-5N-31-0C510800".
  public private(set) var chip: String?
  public private(set) var firmware: String?
  /// The version of UBX.
  public private(set) var protocolVersion: UBXProtocolVersion?
  /// Nil until an answer determines it.
  public private(set) var family: ReceiverFamily?
  /// Whether the receiver itself reported its identity; otherwise only its protocol is known.
  public private(set) var isCertain = false

  public init() {}

  /// For people: "u-blox NEO-M8N-0, firmware SPG 3.01 (ubloxM8)".
  public var summary: String {
    let name = [vendor, model ?? chip].compactMap { $0 }.joined(separator: " ")
    let parts = [name.isEmpty ? "unknown receiver" : name, firmware.map { "firmware \($0)" }]
    return parts.compactMap { $0 }.joined(separator: ", ")
      + (family.map { " (\($0.rawValue))" } ?? "")
  }

  /// Its abilities, as far as they are known.
  public var abilities: ReceiverAbilities {
    ReceiverAbilities(of: family ?? .other, version: protocolVersion)
  }

  /// Its command set.
  public var commands: ReceiverCommands {
    ReceiverCommands(family: family ?? .other, version: protocolVersion)
  }

  /// Adds the information in an answer about the receiver; most answers have none.
  public mutating func learn(_ answer: ReceiverAnswer) {
    switch answer {
    case .ubxVersion(let version): learn(version)
    case .mtkVersion(let version):
      identify(.mediatek, vendor: "MediaTek")
      firmware = version.release
      if !version.product.isEmpty { model = version.product }
    case .pairVersion(let version):
      identify(.airoha, vendor: "Airoha")
      chip = version.chip
      firmware = version.firmware
    case .mtkAcknowledgement, .mtkStartup, .mtkText: assume(.mediatek)
    case .pairAcknowledgement, .pairRequest: assume(.airoha)
    case .notice(let text): learn(notice: text)
    case .gpsdDevice(let device): learn(device)
    case .ubxAcknowledgement, .ubxReadiness, .navigationDataBackup, .navigationData, .assistance,
      .antenna, .gpsdVersion, .gpsdError:
      break
    }
  }

  private mutating func identify(_ family: ReceiverFamily, vendor: String) {
    self.family = family
    self.vendor = vendor
    isCertain = true
  }

  private mutating func assume(_ family: ReceiverFamily) {
    if self.family == nil { self.family = family }
  }

  // MARK: u-blox

  private mutating func learn(_ version: UBXVersion) {
    vendor = "u-blox"
    chip = version.hardware.isEmpty ? chip : version.hardware
    firmware = version.firmware ?? (version.software.isEmpty ? firmware : version.software)
    protocolVersion = version.protocolVersion ?? protocolVersion
    model = version.module ?? model
    recogniseUBX()
  }

  private mutating func recogniseUBX() {
    guard let chip, let found = ReceiverFamily(ubxHardware: chip, version: protocolVersion) else {
      return
    }
    identify(found, vendor: "u-blox")
  }

  // MARK: Texts

  /// u-blox reports its identity at its start; CASIC also on the query PCAS06.
  private mutating func learn(notice text: String) {
    if let value = Self.value("SW=", text) {
      firmware = value.replacing(",", with: " ")
      if value.hasPrefix("URANUS") {
        identify(.casic, vendor: "Zhongkewei")
      } else {
        assume(.casic)
      }
    } else if let value = Self.value("IC=", text) {
      chip = value.prefix { $0 != "," }.description
      if value.hasPrefix("AT") { identify(.casic, vendor: "Zhongkewei") } else { assume(.casic) }
    } else if text == "MA=CASIC" {
      identify(.casic, vendor: "Zhongkewei")
    } else if let value = Self.value("HW=", text) {
      model = value.prefix { $0 != "," }.description
      assume(.casic)
    } else {
      learn(startup: text)
    }
  }

  private mutating func learn(startup text: String) {
    if text.lowercased().hasPrefix("u-blox ag") {
      vendor = "u-blox"
    } else if text.hasPrefix("HW "), text.contains(" UBX-") {
      // "HW UBX-M8030 00080000", "HW  UBX-G70xx   00070000 FF7FFFFFo".
      let words = text.split(separator: " ")
      if words.count > 2 { chip = String(words[2]) }
      recogniseUBX()
    } else if let value = Self.value("PROTVER=", text) ?? Self.value("PROTVER ", text) {
      protocolVersion = UBXProtocolVersion(value) ?? protocolVersion
      recogniseUBX()
    } else if let value = Self.value("FWVER=", text) {
      firmware = value
    } else if let value = Self.value("MOD=", text) {
      model = value
    }
  }

  private static func value(_ key: String, _ text: String) -> String? {
    text.hasPrefix(key) && text.count > key.count ? String(text.dropFirst(key.count)) : nil
  }

  // MARK: gpsd

  private mutating func learn(_ device: GpsdDevice) {
    let driver = device.driver?.lowercased() ?? ""
    if let version = UBXVersion(device), driver == "u-blox" {
      learn(version)
    } else if driver.hasPrefix("mtk") {
      assume(.mediatek)
      firmware = device.subtype ?? firmware
    } else if driver != "u-blox" {
      // The name of the driver alone does not prove u-blox: AT6558 answers gpsd's UBX probes, too.
      firmware = device.subtype ?? firmware
    }
  }
}
