import Core

/// Whether the date can be right, and certificates be judged: a board without a clock of its own
/// begins in 1970, or where it was switched off, and would call every one of them not yet valid.
public enum CertificateTime {
  /// 2026-01-01: nothing that is written here is older.
  private static let earliest = UTCInstant(seconds: 1_767_225_600)

  public static func isPossible(_ date: UTCInstant) -> Bool { date >= earliest }
}
