extension Contacts {
  /// Whether somebody is neither known nor oneself.
  public func isStranger(_ person: PersonAddress, to owner: PersonAddress) -> Bool {
    person != owner && !knows(person)
  }

  /// What people have here of which one has to go where there is no room for all: what strangers
  /// have before what others have, and of these what belongs to those who have most. Whoever floods
  /// takes no room from others.
  ///
  /// - Parameter holder: whose something is.
  public func firstToGo<Item>(
    of items: [Item], for owner: PersonAddress, heldBy holder: (Item) -> PersonAddress
  ) -> [Item] {
    let strangers = items.filter { isStranger(holder($0), to: owner) }
    let holders = Dictionary(grouping: strangers.isEmpty ? items : strangers, by: holder)
    let most = holders.values.map(\.count).max()
    return holders.values.filter { $0.count == most }.flatMap(\.self)
  }
}
