/// What may still go over the network today. The last fifth is kept for visits and alerts.
public struct ByteBudget: Hashable, Sendable {
  /// What a message costs beside itself, roughly: its header, its acknowledgement, TLS's frames.
  private static let overhead = 100
  /// Of the whole, for everything but visits and alerts.
  private static let usualShare = 0.8

  /// Bytes a day; nil: as many as there are.
  private let most: Int?
  /// Bytes, those included that were given out and are not sent yet.
  private var spent: Int

  /// - Parameter most: 0: no bound.
  public init(most: Int, spent: Int) {
    self.most = most == 0 ? nil : most
    self.spent = spent
  }

  public func allows(_ rank: OutboxItem.Rank) -> Bool {
    guard let most else { return true }
    return spent < Int(rank == .important ? Double(most) : Double(most) * Self.usualShare)
  }

  /// For an answer to somebody who has asked, as far as there is room for what is usual.
  ///
  /// - Returns: whether there is.
  public mutating func take(bytes: Int) -> Bool {
    guard allows(.usual) else { return false }
    if most != nil { spent += bytes + Self.overhead }
    return true
  }

  /// Gives out as many as there is room for, in their order.
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
