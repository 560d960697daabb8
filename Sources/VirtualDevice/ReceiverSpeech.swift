/// The protocol that the virtual receiver speaks.
enum ReceiverSpeech {
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
    case .nmea: NMEASpeech.say(epoch, satellites, to: output)
    case .ubx:
      UBXSpeech.say(epoch, to: &output.bytes)
    }
  }

  /// Answers a command as far as the receiver understands it. The NMEA receiver here does not
  /// answer.
  func answer(_ command: [UInt8], to output: SentenceWriter) {
    guard case .ubx = self else { return }
    UBXSpeech.answer(command, to: &output.bytes)
  }

  /// Whether the command is its family's sleep command: UBX-RXM-PMREQ for the u-blox, PMTK161 for
  /// the NMEA receiver, which stands for a MediaTek one.
  func isToSleep(_ command: [UInt8]) -> Bool {
    switch self {
    case .nmea: command.starts(with: Array("$PMTK161,0*28".utf8))
    case .ubx: command.starts(with: [0xB5, 0x62, 0x02, 0x41])
    }
  }
}
