import Foundation

/// How much longer than on a quiet machine a test waits, and how many more wake-ups it allows:
/// `GODWIT_TIME_FACTOR` in the environment, 1 if it is not set.
public let timeFactor: Double =
  ProcessInfo.processInfo.environment["GODWIT_TIME_FACTOR"].flatMap(Double.init) ?? 1
