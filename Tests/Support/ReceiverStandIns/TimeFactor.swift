import Foundation

/// The factor by which timeouts and wake limits of tests grow on a busy machine:
/// `GODWIT_TIME_FACTOR` in the environment, 1 if it is not set.
public let timeFactor: Double =
  ProcessInfo.processInfo.environment["GODWIT_TIME_FACTOR"].flatMap(Double.init) ?? 1
