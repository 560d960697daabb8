import Ports
import Core

/// Detects edits of the store by another program: one query serves all users, and no more often
/// than a single one would.
final class EditWatch {
  private static let pause: Seconds = 5

  private let writer: StoreWriter
  private var mark: Int64?
  private var next = BootInstant.zero

  init(_ writer: StoreWriter) { self.writer = writer }

  /// A number that changes with every edit. It may be older than data read after it: then the same
  /// data are read twice, and nothing is missed.
  /// - Parameter isStale: whether an edit was reported.
  func mark(at now: BootInstant, isStale: Bool) throws(PortError) -> Int64? {
    guard isStale || now >= next else { return mark }
    next = now + Self.pause
    mark = try writer.editMark()
    return mark
  }
}
