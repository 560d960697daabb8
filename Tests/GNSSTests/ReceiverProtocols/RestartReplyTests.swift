import TestSupport
import Testing

@testable import GNSS

/// Receivers' answers to a restart command, byte for byte.
@Suite struct RestartReplyTests {
  private func replies(_ sentences: String...) -> [RestartReply?] {
    sentences.flatMap { Transcript.answers($0) }.map(RestartReply.init)
  }

  @Test("Airoha acknowledges its three restarts, or gives the reason for a refusal") func airoha() {
    #expect(
      replies("$PAIR001,004,0*3F", "$PAIR001,005,0*3E", "$PAIR001,006,0*3D")
        == [.accepted, .accepted, .accepted])
    #expect(replies("$PAIR001,006,3*3E") == [.refused("PAIR001 unsupported")])
    #expect(replies("$PAIR001,004,1*3E") == [nil], "a second one follows")
    #expect(replies("$PAIR001,650,0*38") == [nil])
  }

  @Test("MediaTek reports its start, or refuses") func mediatek() {
    #expect(replies("$PMTK010,001*2E", "$PMTK010,002*2D") == [.accepted, nil])
    #expect(replies("$PMTK001,103,1*30") == [.refused("PMTK001 unsupported")])
    #expect(replies("$PMTK001,101,3*30", "$PMTK001,161,3*36") == [.accepted, nil])
  }

  /// Older firmware acknowledges, newer does not answer (UBX-13003221, "UBX-CFG-RST").
  @Test("u-blox acknowledges or refuses CFG-RST, if it answers at all") func ublox() {
    let answers = Transcript.answers(
      Hex.bytes("b562 0501 0200 0604 123b b562 0500 0200 0604 1136 b562 0501 0200 068a 98c1"))
    #expect(answers.map(RestartReply.init) == [.accepted, .refused("UBX-ACK-NAK"), nil])
  }

  @Test("gpsd's refusal to pass the command on is a refusal") func gpsd() {
    let reply = RestartReply(.gpsdError("device is read-only"))
    #expect(reply == .refused("gpsd reports \"device is read-only\""))
  }

  @Test("for each family it is known whether it acknowledges", arguments: ReceiverFamily.allCases)
  func families(family: ReceiverFamily) {
    let commands = ReceiverCommands(family: family)
    #expect(commands.acknowledgesRestart == [.airoha, .mediatek].contains(family))
    if commands.acknowledgesRestart { #expect(commands.restart(.cold) != nil) }
  }
}
