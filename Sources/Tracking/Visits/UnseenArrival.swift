/// An arrival that no location has shown. Times are nanoseconds of UTC.
struct UnseenArrival: Hashable, Sendable {
  /// When the board came to rest: by a sensor not before, otherwise an estimate.
  let time: Int64
  let latest: Int64
  /// Whether a sensor detected movement until then.
  let isSensed: Bool
}
