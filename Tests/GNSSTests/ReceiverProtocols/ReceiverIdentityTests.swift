import Core
import Testing

@testable import GNSS

@Suite struct ReceiverIdentityTests {
  static func check(
    _ identity: ReceiverIdentity, _ family: ReceiverFamily?, model: String?, chip: String?,
    firmware: String?, version: String? = nil, at location: SourceLocation = #_sourceLocation
  ) {
    #expect(identity.family == family, sourceLocation: location)
    #expect(identity.model == model, sourceLocation: location)
    #expect(identity.chip == chip, sourceLocation: location)
    #expect(identity.firmware == firmware, sourceLocation: location)
    #expect(identity.protocolVersion?.description == version, sourceLocation: location)
  }

  @Test("a u-blox receiver is identified by its version message") func ubloxIsKnownByItsVersion() {
    let of = { (frame: [UInt8]) in Transcript.identity(Transcript.answers(frame)) }
    Self.check(
      of(Transcript.neoM9N), .ubloxM9, model: "NEO-M9N", chip: "00190000", firmware: "SPG 4.04",
      version: "32.01")
    Self.check(
      of(Transcript.zedF9P), .ubloxF9, model: "ZED-F9P", chip: "00190000", firmware: "HPG 1.50",
      version: "27.50")
    Self.check(
      of(Transcript.m8), .ubloxM8, model: nil, chip: "00080000", firmware: "SPG 3.01",
      version: "18.00")
    Self.check(
      of(Transcript.m10), .ubloxM10, model: nil, chip: "000A0000", firmware: "SPG 5.10",
      version: "34.10")
    Self.check(
      of(Transcript.g7), .ublox7, model: nil, chip: "00070000", firmware: "1.00 (59842)",
      version: "14.00")
    Self.check(
      of(Transcript.neo6), .ublox6, model: nil, chip: "00040007", firmware: "7.03 (45969)")
    #expect(of(Transcript.g7).abilities.sleepMethods == [.ubxBackup8])
    #expect(of(Transcript.m10).commands.family == .ubloxM10)
  }

  /// u-blox 5 is older than supported: its maker is known, its commands are not.
  @Test("of a u-blox 5 only the maker is known, and no commands")
  func onlyTheMakerOfUblox5IsKnown() {
    let frame = Transcript.version("5.00 (28483)", "00040005")
    let identity = Transcript.identity(Transcript.answers(frame))
    Self.check(identity, nil, model: nil, chip: "00040005", firmware: "5.00 (28483)")
    #expect(identity.vendor == "u-blox" && identity.abilities.sleepMethods.isEmpty)
  }

  @Test("a u-blox receiver is identified by its startup messages") func ubloxIsKnownByItsStartup() {
    let identity = Transcript.identity(
      Transcript.answers(
        "$GNTXT,01,01,02,u-blox AG - www.u-blox.com*4E",
        "$GNTXT,01,01,02,HW UBX-M8030 00080000*60", "$GNTXT,01,01,02,EXT CORE 3.01 (107900)*33",
        "$GNTXT,01,01,02,ROM BASE 3.01 (107888)*25", "$GNTXT,01,01,02,FWVER=SPG 3.01*46",
        "$GNTXT,01,01,02,PROTVER=18.00*11", "$GNTXT,01,01,02,MOD=NEO-M8N-0*67",
        "$GNTXT,01,01,02,FIS=0xEF4015 (200061)*5D", "$GNTXT,01,01,02,PF=3FF*4B"))
    Self.check(
      identity, .ubloxM8, model: "NEO-M8N-0", chip: "00080000", firmware: "SPG 3.01",
      version: "18.00")
    let seven = Transcript.identity(
      Transcript.answers(
        "$GPTXT,01,01,02,u-blox ag - www.u-blox.com*50",
        "$GPTXT,01,01,02,HW  UBX-G70xx   00070000 FF7FFFFFo*69",
        "$GPTXT,01,01,02,ROM CORE 1.00 (59842) Jun 27 2012 17:43:52*59",
        "$GPTXT,01,01,02,PROTVER 14.00*1E"))
    Self.check(seven, .ublox7, model: nil, chip: "00070000", firmware: nil, version: "14.00")
  }

  @Test("MediaTek, Airoha and Casic are identified by their answers")
  func otherFamiliesAreKnownByTheirAnswers() {
    Self.check(
      Transcript.identity(
        Transcript.answers("$PMTK705,AXN_5.1.7_3333_19020118,0027,PA1010D,1.0*76")),
      .mediatek, model: "PA1010D", chip: nil, firmware: "AXN_5.1.7_3333_19020118")
    Self.check(
      Transcript.identity(
        Transcript.answers(
          "$PAIR021,AG3335M_V2.5.0.AG3335.QT_V1_20230213,D,N,3ca042c,2210201143,2b6,0,2b6,0,"
            + "cd539df,2210201143,2ed7531,2210201143,,,,,-15.48,-15.48,-14.02,-15.48,0,1,#P,0,0*35"
        )), .airoha, model: nil, chip: "AG3335M", firmware: "V2.5.0.AG3335.QT_V1_20230213")
    let casic = Transcript.identity(
      Transcript.answers(
        "$GPTXT,01,01,02,HW=ATGM336H,0004090746370*1E",
        "$GPTXT,01,01,02,IC=AT6558-5N-31-0C510800,EF16CKJ-F2-008017*5A",
        "$GPTXT,01,01,02,SW=URANUS5,V5.3.0.0*1D", "$GPTXT,01,01,02,TB=2020-04-28,13:43:10*40",
        "$GPTXT,01,01,02,MO=GBR*25", "$GPTXT,01,01,02,BS=SOC_BootLoader,V6.2.0.2*34"))
    Self.check(
      casic, .casic, model: "ATGM336H", chip: "AT6558-5N-31-0C510800",
      firmware: "URANUS5 V5.3.0.0")
    #expect(casic.isCertain && casic.vendor == "Zhongkewei")
  }

  /// The protocol alone gives an assumption, which the receiver's own identity overrides.
  @Test("the protocol alone is an assumption, which the receiver's identity overrides")
  func acknowledgementsAreNoProof() {
    var identity = Transcript.identity(Transcript.answers(Line.withChecksum("PMTK001,605,1")))
    #expect(identity.family == .mediatek && !identity.isCertain)
    for answer in Transcript.answers("$GPTXT,01,01,02,SW=URANUS5,V5.3.0.0*1D") {
      identity.learn(answer)
    }
    #expect(identity.family == .casic && identity.isCertain)
  }

  @Test("gpsd's report identifies the receiver if it is reliable") func gpsdKnowsTheReceiver() {
    let device = { (driver: String, subtype: String?, subtype1: String?) in
      Transcript.identity([
        .gpsdDevice(
          GpsdDevice(
            path: "/dev/a", driver: driver, subtype: subtype, subtype1: subtype1, baud: 9600,
            isActive: true))
      ])
    }
    Self.check(
      device(
        "u-blox", "SW ROM SPG 5.10 (7b202e),HW 000A0000",
        "FWVER=SPG 5.10,PROTVER=34.10,GPS;GLO;GAL;BDS,SBAS;QZSS"), .ubloxM10, model: nil,
      chip: "000A0000", firmware: "SPG 5.10", version: "34.10")
    // gpsd 3.27 mistook an L76K for a u-blox receiver.
    Self.check(device("u-blox", nil, nil), nil, model: nil, chip: nil, firmware: nil)
    #expect(device("MTK-3301", "AXN_2.31", nil).family == .mediatek)
    #expect(device("NMEA0183", "UM621-02", nil).firmware == "UM621-02")
  }

  @Test("protocol versions are compared as numbers, and other texts are refused")
  func protocolVersionsAreNumbers() {
    #expect(UBXProtocolVersion("34.10")?.description == "34.10")
    #expect(UBXProtocolVersion("14.00") == UBXProtocolVersion(14))
    #expect(UBXProtocolVersion("34.1") == UBXProtocolVersion(34, 10))
    #expect(UBXProtocolVersion("18.00")! < UBXProtocolVersion("19.20")!)
    for text in ["", ".", "18.", ".5", "18.00.1", "x", "-1.0", "18,0", "9999.0", "+1", "٣.٣"] {
      #expect(UBXProtocolVersion(text) == nil, "\(text)")
    }
  }

  /// These names are printed, written to settings and read back.
  @Test("the names of the families stay the same") func familiesHaveStableNames() {
    #expect(
      ReceiverFamily.allCases.map(\.rawValue) == [
        "ublox6", "ublox7", "ubloxM8", "ubloxM9", "ubloxM10", "ubloxF9", "mediatek", "airoha",
        "casic", "simcom", "other",
      ])
  }
}
