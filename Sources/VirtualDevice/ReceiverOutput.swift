/// The protocol that the virtual receiver speaks.
enum ReceiverOutput {
  case nmea
  case ubx

  init(_ language: VirtualReceiverSettings.Language) {
    switch language {
    case .nmea: self = .nmea
    case .ubx: self = .ubx
    }
  }

  func say(
    _ epoch: ReceiverEpoch, _ satellites: [Constellation.Satellite], to output: SentenceWriter
  ) {
    switch self {
    case .nmea: NMEAOutput.say(epoch, satellites, to: output)
    case .ubx:
      UBXMessages.say(epoch, to: &output.bytes)
    }
  }

  /// Answers a command as far as the receiver understands it. The NMEA receiver here answers none,
  /// and tells of its start when it was told to start again.
  func answer(_ command: [UInt8], to output: SentenceWriter) {
    guard case .ubx = self else { return }
    UBXMessages.answer(command, to: &output.bytes)
  }

  /// Whether the command is its family's sleep command: UBX-RXM-PMREQ for the u-blox, PMTK161 for
  /// the NMEA receiver, which stands for a MediaTek one.
  func isToSleep(_ command: [UInt8]) -> Bool {
    switch self {
    case .nmea: command.starts(with: Array("$PMTK161,0*28".utf8))
    case .ubx: command.starts(with: [0xB5, 0x62, 0x02, 0x41])
    }
  }

  /// How it starts again if the command is its family's restart: PMTK101 to PMTK103, or UBX-CFG-RST
  /// with a reset of the whole or of the GNSS part.
  func restart(_ command: [UInt8]) -> StartKind? {
    switch self {
    case .nmea:
      let commands: [(String, StartKind)] = [
        ("$PMTK101*32", .hot), ("$PMTK102*31", .warm), ("$PMTK103*30", .cold),
      ]
      return commands.first { command.starts(with: Array($0.0.utf8)) }?.1
    case .ubx: return UBXMessages.restart(command)
    }
  }

  /// What comes before everything else after such a start. u-blox' GNSS part says nothing; PMTK010
  /// and PMTK011 are what a MediaTek says (GlobalTop, PMTK command packet A11, "PMTK_SYS_MSG").
  func greet(_ output: SentenceWriter) {
    guard case .nmea = self else { return }
    output.bytes += Array("$PMTK011,MTKGPS*08\r\n$PMTK010,001*2E\r\n".utf8)
  }
}
