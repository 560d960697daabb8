/// The UBX messages that are answers and no part of an epoch.
extension ReceiverAnswer {
  /// Nil when the message is a command that somebody else sent, or means nothing.
  init?(_ message: UBXMessage) {
    switch message.kind {
    case .ackAck, .ackNak:
      self = .ubxAcknowledgement(
        UBXAcknowledgement(
          isAccepted: message.kind == .ackAck, messageClass: message.u8(0),
          messageID: message.u8(1)))
    case .monVER: self = .ubxVersion(UBXVersion(message))
    case .monRXR: self = .ubxReadiness(isAwake: message.u8(0) & 1 == 1)
    case .updSOS:
      guard let backup = NavigationDataBackup(message) else { return nil }
      self = .navigationDataBackup(backup)
    case .mgaACK:
      self = .assistance(
        AssistanceAcknowledgement(
          isUsed: message.u8(0) == 1, reason: message.u8(2), messageID: message.u8(3)))
    case .mgaDBD:
      guard let data = NavigationDataMessage(payload: Array(message.payload)) else { return nil }
      self = .navigationData(data)
    case .infNOTICE: self = .notice(AnswerText.printable(message.payload))
    default: return nil
    }
  }
}

extension UBXVersion {
  /// Extensions beyond any receiver's number are left out.
  private static let maxExtensions = 24

  init(_ message: UBXMessage) {
    let text = { (range: Range<Int>) in AnswerText.printable(message.payload[range]) }
    let count = min((message.payload.count - 40) / 30, Self.maxExtensions)
    self.init(
      software: text(0..<30), hardware: text(30..<40),
      extensions: (0..<count).map { text(40 + 30 * $0..<70 + 30 * $0) }.filter { !$0.isEmpty })
  }
}

extension NavigationDataBackup {
  init?(_ message: UBXMessage) {
    guard message.payload.count >= 8 else { return nil }
    switch (message.u8(0), message.u8(4)) {
    case (2, 0): self = .notSaved
    case (2, 1): self = .saved
    case (3, 0): self = .unknown
    case (3, 1): self = .restoringFailed
    case (3, 2): self = .restored
    case (3, 3): self = .nothingToRestore
    default: return nil
    }
  }
}
