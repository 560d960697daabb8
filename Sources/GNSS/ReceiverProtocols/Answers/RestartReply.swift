/// The reply of a receiver, or of gpsd in front of it, to a restart command.
enum RestartReply: Hashable, Sendable {
  case accepted
  case refused(String)

  /// Nil if the answer concerns something else.
  init?(_ answer: ReceiverAnswer) {
    switch answer {
    case .ubxAcknowledgement(let reply)
    where (reply.messageClass, reply.messageID) == UBXCommand.resetCommand:
      self = reply.isAccepted ? .accepted : .refused("UBX-ACK-NAK")
    // GlobalTop's PMTK command packet, A11, "PMTK_SYS_MSG": after a restart by command, too.
    case .mtkStartup(1): self = .accepted
    case .mtkAcknowledgement(let reply) where MTKCommand.restartCommands.contains(reply.command):
      self = reply.result == .done ? .accepted : .refused("PMTK001 \(reply.result)")
    case .pairAcknowledgement(let reply)
    where PAIRCommand.restartCommands.contains(reply.command) && reply.result != .pending:
      self = reply.result == .done ? .accepted : .refused("PAIR001 \(reply.result)")
    case .gpsdError(let message): self = .refused("gpsd reports \"\(message)\"")
    default: return nil
    }
  }
}
