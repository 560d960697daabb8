/// Published messages that are in memory until the broker has acknowledged them.
struct InFlightMessages {
  static let mostMessages = 1000
  static let mostBytes = 8_388_608

  private struct Message {
    let number: Int64
    let bytes: Int
  }

  /// By libmosquitto's message id.
  private var messages: [Int32: Message] = [:]
  private var bytes = 0

  var isEmpty: Bool { messages.isEmpty }

  var hasRoom: Bool { messages.count < Self.mostMessages && bytes < Self.mostBytes }

  mutating func add(_ number: Int64, as id: Int32, bytes count: Int) {
    _ = remove(id)
    messages[id] = Message(number: number, bytes: count)
    bytes += count
  }

  /// - Returns: our number; nil: there is no such message.
  mutating func remove(_ id: Int32) -> Int64? {
    guard let message = messages.removeValue(forKey: id) else { return nil }
    bytes -= message.bytes
    return message.number
  }
}
