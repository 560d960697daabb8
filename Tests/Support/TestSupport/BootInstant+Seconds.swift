import Core

extension BootInstant {
  /// This many seconds after the start of the board.
  public static func boot(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// Since the start of the board.
  public var seconds: Double { (self - .zero).value }
}
