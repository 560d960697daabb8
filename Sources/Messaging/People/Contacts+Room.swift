extension Contacts {
  /// Whether a person is neither a contact nor the owner.
  func isUnknown(_ person: PersonAddress, to owner: PersonAddress) -> Bool {
    person != owner && !contains(person)
  }

  /// The items to drop first where there is no room for all: those of unknown people before those
  /// of contacts, and among them those of the holder with the most. A flood takes no room from
  /// others.
  ///
  /// - Parameter holder: the person an item belongs to.
  func firstToGo<Item>(
    of items: [Item], for owner: PersonAddress, heldBy holder: (Item) -> PersonAddress
  ) -> [Item] {
    let ofUnknown = items.filter { isUnknown(holder($0), to: owner) }
    let holders = Dictionary(grouping: ofUnknown.isEmpty ? items : ofUnknown, by: holder)
    let most = holders.values.map(\.count).max()
    return holders.values.filter { $0.count == most }.flatMap(\.self)
  }
}
