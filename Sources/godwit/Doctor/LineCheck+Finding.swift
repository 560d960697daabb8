import GpioLines

extension LineCheck {
  /// - Parameter written: the line as the settings have it.
  func finding(_ part: String, written: String) -> Finding {
    if let problem { return .fail(part, problem) }
    let line = "\(written) is \(resolved ?? "nowhere")"
    if isOurs { return .ok(part, "\(line), in use by the daemon; see godwit status") }
    return .ok(part, "\(line), and free")
  }
}
