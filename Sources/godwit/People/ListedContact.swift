import Formats
import Messaging

/// A contact in a list, or a blocked person who is no contact.
struct ListedContact: Sendable {
  /// Nil for a person who is no contact.
  let name: String?
  let address: PersonAddress
  let isBlocked: Bool

  static func all(of contacts: Contacts) -> [ListedContact] {
    let blocked = Set(contacts.blocked)
    let known = contacts.all.map {
      ListedContact(name: $0.name, address: $0.address, isBlocked: blocked.contains($0.address))
    }
    let others = contacts.blocked.filter { contacts.name(of: $0) == nil }
    return known + others.map { ListedContact(name: nil, address: $0, isBlocked: true) }
  }

  static let columns = Columns<ListedContact>([
    .text("address", cell: .plain("ADDRESS", 8)) { $0.address.description },
    .flag(
      "blocked", cell: .made("BLOCKED", 7) { row, _ in row.isBlocked ? "blocked" : "" }
    ) { $0.isBlocked },
    .text("name", cell: .plain("NAME", 4)) { $0.name },
  ])
}
