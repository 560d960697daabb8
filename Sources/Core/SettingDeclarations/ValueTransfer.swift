/// Carries values from one struct to another with the same declarations.
final class ValueTransfer {
  private struct Box<Value> { let value: Value }

  private let keys: Set<String>
  private var boxes: [String: Any] = [:]

  init(_ keys: Set<String>) { self.keys = keys }

  func collect<Value>(_ key: String, _ value: Value) {
    if keys.contains(key) { boxes[key] = Box(value: value) }
  }

  func restore<Value>(_ key: String, _ value: inout Value) {
    if let box = boxes[key] as? Box<Value> { value = box.value }
  }
}

extension SettingGroup {
  /// A copy in which some settings have the values of another struct.
  public func keeping(_ keys: Set<String>, of other: Self) -> Self {
    let kept = ValueTransfer(keys)
    var (source, copy) = (other, self)
    source.declare(SettingVisitor(.collect(kept), ""))
    copy.declare(SettingVisitor(.restore(kept), ""))
    return copy
  }
}
