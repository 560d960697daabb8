import Core
import TestSupport
import Testing

@testable import GNSS

/// Sent bytes.
@Suite struct ReceiverCommandsTests {
  /// Sentences with the checksums printed by data sheets and other programs.
  @Test("sentences have the checksums that data sheets print") func sentencesMatchTheDataSheets() {
    let text = { (bytes: [UInt8]?) in bytes.map { String(decoding: $0, as: UTF8.self) } }
    #expect(text(MTKCommand.test) == "$PMTK000*32\r\n")
    #expect(text(MTKCommand.standby) == "$PMTK161,0*28\r\n")
    #expect(text(MTKCommand.backup) == "$PMTK225,4*2F\r\n")
    #expect(text(MTKCommand.fullPower) == "$PMTK225,0*2B\r\n")
    #expect(text(MTKCommand.queryRelease) == "$PMTK605*31\r\n")
    #expect(text(MTKCommand.restart(.hot)) == "$PMTK101*32\r\n")
    #expect(text(MTKCommand.restart(.warm)) == "$PMTK102*31\r\n")
    #expect(text(MTKCommand.restart(.cold)) == "$PMTK103*30\r\n")
    #expect(text(PAIRCommand.sleep(for: nil)) == "$PAIR650,0*25\r\n")
    #expect(text(PAIRCommand.gnssOn) == "$PAIR002*38\r\n")
    #expect(text(PAIRCommand.gnssOff) == "$PAIR003*39\r\n")
    #expect(text(PAIRCommand.restart(.hot)) == "$PAIR004*3E\r\n")
    #expect(text(PAIRCommand.restart(.warm)) == "$PAIR005*3F\r\n")
    #expect(text(PAIRCommand.restart(.cold)) == "$PAIR006*3C\r\n")
    #expect(text(PAIRCommand.queryVersion) == "$PAIR020*38\r\n")
    #expect(text(PAIRCommand.querySettings) == "$PAIR021*39\r\n")
    #expect(text(CASCommand.query(.firmware)) == "$PCAS06,0*1B\r\n")
    #expect(text(CASCommand.query(.hardware)) == "$PCAS06,1*1A\r\n")
    #expect(text(CASCommand.query(.chip)) == "$PCAS06,6*1D\r\n")
    #expect(text(CASCommand.standby(for: nil)) == "$PCAS12,65535*1E\r\n")
    #expect(text(CASCommand.standby(for: 1)) == "$PCAS12,1*1F\r\n")
    #expect(text(CASCommand.restart(.hot)) == "$PCAS10,0*1C\r\n")
    #expect(text(CASCommand.restart(.warm)) == "$PCAS10,1*1D\r\n")
    #expect(text(CASCommand.restart(.cold)) == "$PCAS10,2*1E\r\n")
  }

  @Test("u-blox sleep requests have the right bytes, with and without an end")
  func sleepRequestsMatchTheProtocol() {
    #expect(
      UBXPower.backup8(for: nil) == Hex.bytes("b562 0241 0800 00000000 02000000 4d3b"))
    #expect(
      UBXPower.backup8(for: .days(40)) == Hex.bytes("b562 0241 0800 0050cc3d 02000000 a664"))
    #expect(
      UBXPower.backup16(for: nil)
        == Hex.bytes("b562 0241 1000 00000000 00000000 06000000 28000000 81eb"))
    #expect(
      UBXPower.backup16(for: .hours(1))
        == Hex.bytes("b562 0241 1000 00000000 80ee3600 06000000 28000000 2541"))
  }

  @Test("u-blox restarts and stops have the right bytes") func restartsMatchTheProtocol() {
    #expect(UBXCommand.restart(.hot) == Hex.bytes("b562 0604 0400 0000 0200 1068"))
    #expect(UBXCommand.restart(.warm) == Hex.bytes("b562 0604 0400 0100 0200 116c"))
    #expect(UBXCommand.restart(.cold) == Hex.bytes("b562 0604 0400 ffff 0200 0e61"))
    #expect(UBXCommand.softwareReset(.cold) == Hex.bytes("b562 0604 0400 ffff 0100 0d5f"))
    #expect(UBXCommand.stopGnss == Hex.bytes("b562 0604 0400 0000 0800 1674"))
    #expect(UBXCommand.startGnss == Hex.bytes("b562 0604 0400 0000 0900 1776"))
  }

  @Test("u-blox queries and settings have the right bytes") func queriesMatchTheProtocol() {
    #expect(UBXCommand.pollVersion == Hex.bytes("b562 0a04 0000 0e34"))
    #expect(UBXAssistance.saveNavigationData == Hex.bytes("b562 0914 0400 00000000 21ec"))
    #expect(UBXAssistance.clearSavedNavigationData == Hex.bytes("b562 0914 0400 01000000 22f0"))
    #expect(UBXAssistance.pollSavedNavigationData == Hex.bytes("b562 0914 0000 1d60"))
    #expect(UBXAssistance.pollDatabase == Hex.bytes("b562 1380 0000 93cc"))
    #expect(UBXCommand.savesPower(true) == Hex.bytes("b562 0611 0200 0801 2292"))
    #expect(UBXCommand.savesPower(false) == Hex.bytes("b562 0611 0200 0800 2191"))
  }

  /// UBX-CFG-MSG for NAV-SVINFO and NAV-SAT, UBX-CFG-VALSET for UART1 and USB.
  @Test(
    "each family has its own commands to enable signal reports", arguments: ReceiverFamily.allCases)
  func tellingSignalsMatchesTheProtocol(family: ReceiverFamily) {
    let uart1 = "b562 068a 0900 00010000 16009120 01 6293"
    let usb = "b562 068a 0900 00010000 18009120 01 649d"
    let told =
      switch family {
      case .ublox6, .ublox7: ["b562 0601 0300 0130 01 3ca3"]
      case .ubloxM8: ["b562 0601 0300 0135 01 41ad"]
      case .ubloxM10: [uart1]
      case .ubloxM9, .ubloxF9: [uart1, usb]
      case .mediatek, .airoha, .casic, .simcom, .other: [String]()
      }
    #expect(ReceiverCommands(family: family).enableSignalReports == told.map(Hex.bytes))
  }

  /// Each sleep method of every family: command bytes if the family has the method, wake bytes if
  /// bytes wake it, and nothing otherwise.
  @Test(
    "a family has a command for each of its capabilities, and no other",
    arguments: ReceiverFamily.allCases)
  func abilitiesAndCommandsAgree(family: ReceiverFamily) {
    let commands = ReceiverCommands(family: family)
    let abilities = commands.abilities
    for method in SleepMethod.allCases {
      let isKnown = abilities.sleepMethods.contains(method)
      #expect((commands.sleep(method, for: 60) != nil) == isKnown)
      #expect((commands.wake(method) != nil) == (isKnown && method.wakes.contains(.bytes)))
      #expect((method.maxDuration != nil) == method.wakes.contains(.timer))
    }
    for kind in RestartKind.allCases {
      #expect((commands.restart(kind) != nil) == abilities.restarts.contains(kind))
    }
    #expect((commands.stopGnss != nil) == abilities.stopsGnss)
    #expect((commands.startGnss != nil) == abilities.stopsGnss)
    #expect(commands.saveNavigationData.isEmpty == !abilities.savesNavigationData)
    #expect((commands.pollNavigationData != nil) == abilities.dumpsNavigationData)
  }

  /// A request without end does not put an M10 to sleep.
  @Test("a sleep without end gets one only for the M10") func m10IsGivenAnEnd() {
    let m10 = ReceiverCommands(family: .ubloxM10).sleep(.ubxBackup16, for: nil)
    #expect(m10 == UBXPower.backup16(for: .days(12)))
    let m8 = ReceiverCommands(family: .ubloxM8).sleep(.ubxBackup16, for: nil)
    #expect(m8 == UBXPower.backup16(for: nil))
  }

  @Test("the long form of a sleep request needs protocol 18") func theLongFormNeedsProtocol18() {
    let old = ReceiverAbilities(of: .ubloxM8, version: UBXProtocolVersion("15.01"))
    #expect(old.sleepMethods == [.ubxBackup8])
    let new = ReceiverAbilities(of: .ubloxM8, version: UBXProtocolVersion("18.00"))
    #expect(new.sleepMethods == [.ubxBackup16, .ubxBackup8])
  }

  @Test("without a wake line only sleeps that need none remain")
  func onlySleepsThatTheBoardCanEnd() {
    let mediatek = ReceiverAbilities(of: .mediatek)
    #expect(mediatek.sleepMethods(hasWakeLine: false) == [.mtkStandby])
    #expect(mediatek.sleepMethods(hasWakeLine: true) == [.mtkStandby, .mtkBackup])
    let airoha = ReceiverAbilities(of: .airoha)
    #expect(airoha.sleepMethods(hasWakeLine: false) == [])
    #expect(airoha.sleepMethods(hasWakeLine: true) == [.pairSleep])
  }

  @Test("a receiver's actual sleep time is known") func theRealSleepTimeIsKnown() {
    let casic = ReceiverCommands(family: .casic)
    #expect(casic.sleepTime(.casStandby, for: nil) == 65_535)
    #expect(casic.sleepTime(.casStandby, for: 600) == 600)
    #expect(casic.sleepTime(.casStandby, for: .days(3)) == 65_535)
    #expect(ReceiverCommands(family: .ubloxM8).sleepTime(.ubxBackup16, for: nil) == nil)
    #expect(ReceiverCommands(family: .ubloxM10).sleepTime(.ubxBackup16, for: nil) == .days(12))
    // These have no timer.
    #expect(ReceiverCommands(family: .mediatek).sleepTime(.mtkBackup, for: 600) == nil)
  }

  /// For any requested time the command is one sound frame, with the time within limits.
  @Test("any duration gives one sound command within the receiver's limits")
  func durationsAreClamped() {
    let durations: [Seconds?] = [
      nil, 0, -1, 0.001, 1, 9.6, 10, 65_536, .days(12), .days(13), 1e300, Seconds(.infinity),
      Seconds(-.infinity), Seconds(.nan),
    ]
    for family in ReceiverFamily.allCases {
      let commands = ReceiverCommands(family: family)
      for method in commands.abilities.sleepMethods {
        for duration in durations {
          let bytes = commands.sleep(method, for: duration) ?? []
          let counters = Line.decoded(bytes).counters
          #expect(counters.nmeaSentences + counters.ubxFrames == 1)
          #expect(counters.garbageBytes == 0 && counters.bytes == UInt64(bytes.count))
        }
      }
    }
    #expect(UBXPower.backup16(for: 0) == UBXPower.backup16(for: 1))
    #expect(UBXPower.backup16(for: Seconds(.infinity)) == UBXPower.backup16(for: .days(12)))
    #expect(UBXPower.backup16(for: Seconds(.nan)) == UBXPower.backup16(for: nil))
    #expect(PAIRCommand.sleep(for: 3) == PAIRCommand.sleep(for: 10))
    #expect(PAIRCommand.sleep(for: 1e12) == PAIRCommand.sleep(for: 62_208_000))
    #expect(CASCommand.standby(for: 1e12) == CASCommand.standby(for: 65_535))
  }
}
