/// The output protocol of the virtual receiver.
enum ReceiverOutput {
  case nmea
  case ubx

  init(_ language: VirtualReceiverSettings.OutputProtocol) {
    switch language {
    case .nmea: self = .nmea
    case .ubx: self = .ubx
    }
  }

  func encode(
    _ epoch: ReceiverEpoch, _ satellites: [Constellation.Satellite], to output: SentenceWriter
  ) {
    switch self {
    case .nmea: NMEAOutput.encode(epoch, satellites, to: output)
    case .ubx:
      UBXMessages.say(epoch, to: &output.bytes)
    }
  }

  /// Answers a command if the receiver supports it. This NMEA receiver answers none, and only
  /// reports a restart.
  func answer(_ command: [UInt8], to output: SentenceWriter) {
    guard case .ubx = self else { return }
    UBXMessages.answer(command, to: &output.bytes)
  }

  /// Whether the command is its family's sleep command: UBX-RXM-PMREQ for the u-blox, PMTK161 for
  /// the NMEA receiver, which represents a MediaTek one.
  func isToSleep(_ command: [UInt8]) -> Bool {
    switch self {
    case .nmea: command.starts(with: Array("$PMTK161,0*28".utf8))
    case .ubx: command.starts(with: [0xB5, 0x62, 0x02, 0x41])
    }
  }

  /// The kind of start if the command is its family's restart: PMTK101 to PMTK103, or UBX-CFG-RST
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

  /// The first output after such a start. u-blox' GNSS part sends nothing; PMTK010 and PMTK011 are
  /// sent by a MediaTek (GlobalTop, PMTK command packet A11, "PMTK_SYS_MSG").
  func writeStartMessage(_ output: SentenceWriter) {
    guard case .nmea = self else { return }
    output.bytes += Array("$PMTK011,MTKGPS*08\r\n$PMTK010,001*2E\r\n".utf8)
  }
}
