/// The start of a new UTC offset in a zone.
struct OffsetChange: Hashable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z.
  let begin: Int
  /// Seconds east of UTC.
  let offset: Int

  /// The range of UTC offsets: RFC 9636 section 3.2 recommends -25 h to +26 h.
  static let offsets = -93_600...93_600
}
