import PowerControl

public struct GpioSwitchSettings: Equatable, Sendable {
  /// The lines that are wired.
  public var lines: [PowerLine: GpioLine]
  public var onStart: LinePolicy
  public var onExit: LinePolicy
  /// Where the chips' devices are.
  public var devices: String

  public init(
    lines: [PowerLine: GpioLine], onStart: LinePolicy = .off, onExit: LinePolicy = .off,
    devices: String = "/dev"
  ) {
    self.lines = lines
    self.onStart = onStart
    self.onExit = onExit
    self.devices = devices
  }
}
