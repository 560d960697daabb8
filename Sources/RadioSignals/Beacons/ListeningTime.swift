import Core

/// The total listening time of a radio.
public struct ListeningTime: Sendable {
  private var before: Seconds = 0
  private var since: BootInstant?

  public init() {}

  var isOn: Bool { since != nil }

  public mutating func turn(_ isOn: Bool, at now: BootInstant) {
    before = total(at: now)
    since = isOn ? now : nil
  }

  public func total(at now: BootInstant) -> Seconds { before + (since.map { now - $0 } ?? 0) }
}
