import Ports

/// What several ports wait for, as one: a port has one descriptor only.
final class JointInterest {
  private let descriptors: DescriptorSet
  private var members: [Interest] = []

  /// Nil: this process may open nothing more.
  init?() {
    guard let descriptors = try? DescriptorSet() else { return nil }
    self.descriptors = descriptors
  }

  var descriptor: Int32 { descriptors.descriptor }

  /// - Parameter wanted: at present. What waits for nothing, or could not be added, is left out
  ///   until the next time.
  func update(_ wanted: [Interest]) {
    let wanted = wanted.filter { $0.reads || $0.writes }
    // First: the number of one that was closed may be that of a new one.
    for old in members where !wanted.contains(old) { descriptors.remove(old.descriptor) }
    members = wanted.filter { one in
      members.contains(one)
        || (try? descriptors.add(one.descriptor, reads: one.reads, writes: one.writes)) != nil
    }
  }
}
