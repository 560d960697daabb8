/// From this second on the local time of a zone is UTC plus this offset.
struct OffsetChange: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  let begin: Int
  /// Seconds east of UTC.
  let offset: Int

  /// What local time may differ from UTC by: RFC 9636 section 3.2 recommends -25 h to +26 h.
  static let offsets = -93_600...93_600
}
