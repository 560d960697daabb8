/// Who a receiver says it is. Learnt from its answers, one after the other, in any order.
public struct ReceiverIdentity: Hashable, Sendable {
  public private(set) var vendor: String?
  /// Of the module, where the receiver knows it: "NEO-M8N-0", "PA1010D", "ATGM336H".
  public private(set) var model: String?
  /// "00080000", "AG3352Q", "AT6558-5N-31-0C510800".
  public private(set) var chip: String?
  public private(set) var firmware: String?
  /// Of UBX.
  public private(set) var protocolVersion: UBXProtocolVersion?
  /// Nil until an answer tells.
  public private(set) var family: ReceiverFamily?
  /// Whether the receiver itself said which it is; otherwise only the language was heard.
  public private(set) var isCertain = false

  public init() {}

  /// For people: "u-blox NEO-M8N-0, firmware SPG 3.01 (ubloxM8)".
  public var summary: String {
    let name = [vendor, model ?? chip].compactMap { $0 }.joined(separator: " ")
    let parts = [name.isEmpty ? "unknown receiver" : name, firmware.map { "firmware \($0)" }]
    return parts.compactMap { $0 }.joined(separator: ", ")
      + (family.map { " (\($0.rawValue))" } ?? "")
  }

  /// What it can do, as far as is known.
  public var abilities: ReceiverAbilities {
    ReceiverAbilities(of: family ?? .other, version: protocolVersion)
  }

  /// How it is commanded.
  public var commands: ReceiverCommands {
    ReceiverCommands(family: family ?? .other, version: protocolVersion)
  }

  /// Takes in what an answer tells about the receiver; most tell nothing.
  public mutating func learn(_ answer: ReceiverAnswer) {
    switch answer {
    case .ubxVersion(let version): learn(version)
    case .mtkVersion(let version):
      settle(.mediatek, vendor: "MediaTek")
      firmware = version.release
      if !version.product.isEmpty { model = version.product }
    case .pairVersion(let version):
      settle(.airoha, vendor: "Airoha")
      chip = version.chip
      firmware = version.firmware
    case .mtkAcknowledgement, .mtkStartup, .mtkText: suppose(.mediatek)
    case .pairAcknowledgement, .pairRequest: suppose(.airoha)
    case .notice(let text): learn(notice: text)
    case .gpsdDevice(let device): learn(device)
    case .ubxAcknowledgement, .ubxReadiness, .navigationDataBackup, .navigationData, .assistance,
      .antenna, .gpsdVersion, .gpsdError:
      break
    }
  }

  private mutating func settle(_ family: ReceiverFamily, vendor: String) {
    self.family = family
    self.vendor = vendor
    isCertain = true
  }

  private mutating func suppose(_ family: ReceiverFamily) {
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
    settle(found, vendor: "u-blox")
  }

  // MARK: Texts

  /// u-blox introduces itself at its start; CASIC does too, and when it is asked with PCAS06.
  private mutating func learn(notice text: String) {
    if let value = Self.value("SW=", text) {
      firmware = value.replacing(",", with: " ")
      if value.hasPrefix("URANUS") { settle(.casic, vendor: "Zhongkewei") } else { suppose(.casic) }
    } else if let value = Self.value("IC=", text) {
      chip = value.prefix { $0 != "," }.description
      if value.hasPrefix("AT") { settle(.casic, vendor: "Zhongkewei") } else { suppose(.casic) }
    } else if text == "MA=CASIC" {
      settle(.casic, vendor: "Zhongkewei")
    } else if let value = Self.value("HW=", text) {
      model = value.prefix { $0 != "," }.description
      suppose(.casic)
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
      suppose(.mediatek)
      firmware = device.subtype ?? firmware
    } else if driver != "u-blox" {
      // The name of the driver alone is no proof of u-blox: AT6558 answers gpsd's UBX probes too.
      firmware = device.subtype ?? firmware
    }
  }
}
