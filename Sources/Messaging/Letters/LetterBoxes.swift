import Core

/// The known letterboxes, each in its latest revision.
struct LetterBoxes: Sendable {
  private let me: PersonAddress
  private var boxes: [UniqueID: Letterbox] = [:]

  init(of me: PersonAddress) { self.me = me }

  mutating func restore(_ box: Letterbox) { boxes[box.id] = box }

  subscript(_ id: UniqueID) -> Letterbox? { boxes[id] }
  var all: [Letterbox] { boxes.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }

  /// - Returns: false for a revision that is not newer than the known one.
  mutating func put(_ box: Letterbox, _ contacts: Contacts) throws(MessageError) -> Bool {
    if let known = boxes[box.id] {
      guard known.owner == box.owner else {
        throw MessageError(
          "its owner is \(known.owner): only the owner can change it", at: "owner")
      }
      guard box.revision > known.revision else { return false }
    } else {
      try checkRoom(forOneOf: box.owner, contacts)
    }
    boxes[box.id] = box
    return true
  }

  private func checkRoom(
    forOneOf owner: PersonAddress, _ contacts: Contacts
  ) throws(MessageError) {
    func isUnknown(_ person: PersonAddress) -> Bool { contacts.isUnknown(person, to: me) }
    let boxesOfUnknown = boxes.values.count { isUnknown($0.owner) }
    guard !isUnknown(owner) else {
      guard boxesOfUnknown < MessagingLimits.boxesOfUnknown else {
        throw MessageError(
          "the maximum of \(MessagingLimits.boxesOfUnknown) letterboxes of people who are not "
            + "contacts is reached", at: "owner")
      }
      return
    }
    guard boxes.count - boxesOfUnknown < MessagingLimits.boxes else {
      throw MessageError(
        "the maximum of \(MessagingLimits.boxes) letterboxes is reached: remove some")
    }
    guard owner != me else { return }
    let others = boxes.values.filter { $0.owner != me && !isUnknown($0.owner) }
    guard others.count < MessagingLimits.boxesOfOthers else {
      throw MessageError(
        "the maximum of \(MessagingLimits.boxesOfOthers) letterboxes of other people is reached")
    }
    guard others.count(where: { $0.owner == owner }) < MessagingLimits.boxesPerOwner else {
      throw MessageError(
        "the maximum of \(MessagingLimits.boxesPerOwner) letterboxes of one person is reached for "
          + "\(owner)", at: "owner")
    }
  }

  mutating func remove(_ id: UniqueID) { boxes[id] = nil }
}
