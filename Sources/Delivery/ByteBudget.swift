/// What may still be sent and received over the network today. The last fifth is reserved for
/// visits and alerts.
public struct ByteBudget: Hashable, Sendable {
  /// Approximate overhead of a message: its header, its acknowledgement, TLS's frames.
  private static let overhead = 100
  /// Share of the total for everything but visits and alerts.
  private static let usualShare = 0.8

  /// Bytes per day; nil: no limit.
  private let most: Int?
  /// In bytes, including those that were granted and are not sent yet.
  private var spent: Int

  /// - Parameter most: 0: no limit.
  public init(most: Int, spent: Int) {
    self.most = most == 0 ? nil : most
    self.spent = spent
  }

  public func allows(_ rank: OutboxItem.Rank) -> Bool {
    guard let most else { return true }
    return spent < Int(rank == .important ? Double(most) : Double(most) * Self.usualShare)
  }

  /// For an answer to a remote request, within the budget for usual messages.
  ///
  /// - Returns: whether there is room.
  public mutating func take(bytes: Int) -> Bool {
    guard allows(.usual) else { return false }
    if most != nil { spent += bytes + Self.overhead }
    return true
  }

  /// Returns as many as there is room for, in their order.
  public mutating func take(_ items: [OutboxItem]) -> [OutboxItem] {
    guard most != nil else { return items }
    var taken: [OutboxItem] = []
    for item in items {
      guard allows(item.rank) else { break }
      spent += item.payload.count + item.topic.utf8.count + Self.overhead
      taken.append(item)
    }
    return taken
  }
}
