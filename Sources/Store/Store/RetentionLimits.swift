import Core

/// How much the store keeps.
public struct RetentionLimits: Hashable, Sendable {
  /// Nil keeps everything for ever.
  var age: Seconds?
  /// Nil for any number. Sessions, events and measurements older than the oldest point that is kept
  /// are deleted as well, visits stay.
  var points: Int?
  /// In bytes; nil for no limit. With less free space the store stops growing.
  public var minimumFree: Int?

  /// No run deletes more than this share of a table: a wrong date or limit is noticed before
  /// everything is gone. The rest is deleted by the next runs, one a day.
  static let maxShare = 0.25

  /// A smaller store does not fill a disk.
  static let minLimitedFileSize = 4 << 20

  /// Whether the oldest records are deleted in favour of new ones.
  ///
  /// - Parameters:
  ///   - free: bytes of the file system.
  ///   - size: of the store's file in bytes.
  public func makesRoom(free: Int?, size: Int) -> Bool {
    guard let free, isShort(free: free) else { return false }
    return size > Self.minLimitedFileSize
  }

  /// Whether the free space, in bytes, is below the minimum.
  public func isShort(free: Int) -> Bool { minimumFree.map { free < $0 } ?? false }

  /// The share for a table whose rows are spread evenly over time: at least one and a half times
  /// what expires in a day, or a short age would never be reached.
  var share: Double {
    guard let age else { return Self.maxShare }
    return max(Self.maxShare, min(1, 1.5 / (age / .days(1) + 1)))
  }

  public init(age: Seconds? = nil, points: Int? = nil, minimumFree: Int? = nil) {
    self.age = age
    self.points = points
    self.minimumFree = minimumFree
  }

  /// Settings of the section store.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "retention_days", &age, .optional(.quantity(0...36_500), noneAt: 0),
      "Maximum age of track points, visits and samples; older ones are deleted once a day, at most "
        + "a quarter of a table per run. A receiver's date alone deletes nothing: the system's "
        + "clock or the newest stored record must agree with it, or it must have been consistent "
        + "for a day. 0: unlimited.")
    setting(
      "retention_points", &points, .optional(.integer(0...1_000_000_000), noneAt: 0),
      "Maximum number of track points; the oldest are deleted. 0: unlimited.")
    setting(
      "min_free_MB", &minimumFree, .optional(.integer(0...1_000_000), noneAt: 0),
      "Minimum free space on the file system; below it, the oldest records are deleted.")
  }
}

/// The result of a retention run.
struct RetentionReport: Hashable, Sendable {
  var trackPoints = 0
  var visits = 0
  var destinations = 0
  /// Sessions, events, coarse observations and power segments.
  var others = 0
  /// Whether more has expired than one run may delete.
  var isCutShort = false

  var isEmpty: Bool { self == RetentionReport() }
}
