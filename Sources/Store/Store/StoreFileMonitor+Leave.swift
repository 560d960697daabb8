import Ports

extension StoreFileMonitor {
  /// Closes a store that is no longer at its path, and keeps what can be kept of it.
  ///
  /// - Returns: what happened, and where its newest records are.
  func abandon(
    _ connection: Connection, after event: StoreFileEvent
  ) throws(PortError) -> String {
    var message = event.message(connection.name)
    // Frames of another file may have been added to the log since the name was reused.
    let isSound = event.leavesFileIntact ? try connection.isSound() : false
    if !isSound {
      message += try keepLog(event)
    } else if try !connection.checkpoint() {
      throw .busy(
        "\(message); the log beside it must be merged into it first, but another program still "
          + "reads there: close that program")
    }
    connection.keepsLogOnClose = true
    removeLog()
    connection.close()
    return message
  }

  /// The records in the log are in no file yet, and cannot be moved into a damaged one.
  private func keepLog(_ event: StoreFileEvent) throws(PortError) -> String {
    switch event {
    case .deleted, .replaced, .cutLog: return ""
    case .moved, .lostLog, .truncated, .overwritten:
      let kept = try moveLog(with: event)
      return kept.map { "; it is damaged, and its newest records are in the log \($0)" } ?? ""
    }
  }
}
