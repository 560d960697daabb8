import Core

/// Whether the date is plausible, so that certificates can be checked: a board without a real-time
/// clock starts in 1970, or at the time it was switched off, and would reject every certificate as
/// not yet valid.
public enum CertificateTime {
  /// 2026-01-01: earlier than this program.
  private static let earliest = UTCInstant(seconds: 1_767_225_600)

  public static func isPossible(_ date: UTCInstant) -> Bool { date >= earliest }
}
