/// The protocol that the virtual receiver speaks.
enum ReceiverSpeech {
  case nmea(NMEASpeech)
  case ubx

  init(_ language: VirtualReceiverSettings.Language) {
    switch language {
    case .nmea: self = .nmea(NMEASpeech())
    case .ubx: self = .ubx
    }
  }

  mutating func say(
    _ epoch: ReceiverEpoch, _ satellites: [Constellation.Satellite], to output: SentenceWriter
  ) {
    switch self {
    case .nmea(var speech):
      speech.say(epoch, satellites, to: output)
      self = .nmea(speech)
    case .ubx:
      UBXSpeech.say(epoch, to: &output.bytes)
    }
  }

  /// Answers a command as far as the receiver understands it. An NMEA receiver here is mute.
  func answer(_ command: [UInt8], to output: SentenceWriter) {
    guard case .ubx = self else { return }
    UBXSpeech.answer(command, to: &output.bytes)
  }
}
