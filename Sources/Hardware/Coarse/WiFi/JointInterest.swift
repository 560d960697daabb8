import Ports

/// The descriptors of several ports as one, because a port has only one.
final class JointInterest {
  private let descriptors: DescriptorSet
  private var members: [Interest] = []

  /// Nil: this process has no more descriptors.
  init?() {
    guard let descriptors = try? DescriptorSet() else { return nil }
    self.descriptors = descriptors
  }

  var descriptor: Int32 { descriptors.descriptor }

  /// - Parameter wanted: at present. An interest in nothing, or one that could not be added, is
  ///   left out until the next update.
  func update(_ wanted: [Interest]) {
    let wanted = wanted.filter { $0.reads || $0.writes }
    // First, because a new descriptor may have the number of a closed one.
    for old in members where !wanted.contains(old) { descriptors.remove(old.descriptor) }
    members = wanted.filter { one in
      members.contains(one)
        || (try? descriptors.add(one.descriptor, reads: one.reads, writes: one.writes)) != nil
    }
  }
}
