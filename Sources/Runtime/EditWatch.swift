import Ports
import Core

/// Whether another program has edited the store: asked for all who want to know, and no more often
/// than one of them would.
final class EditWatch {
  private static let pause: Seconds = 5

  private let writer: StoreWriter
  private var mark: Int64?
  private var next = BootInstant.zero

  init(_ writer: StoreWriter) { self.writer = writer }

  /// What changes with every edit. It may be older than what is read after it: then the same is
  /// read twice, and nothing is missed.
  /// - Parameter isStale: whether somebody has said that there was an edit.
  func mark(at now: BootInstant, isStale: Bool) throws(PortError) -> Int64? {
    guard isStale || now >= next else { return mark }
    next = now + Self.pause
    mark = try writer.editMark()
    return mark
  }
}
