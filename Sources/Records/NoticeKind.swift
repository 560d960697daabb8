/// The subject of a notice.
public enum NoticeKind: StoredWord, Hashable {
  case alert(AlertKind)
  case letter
  case meeting
  case group

  public static let allCases: [NoticeKind] =
    AlertKind.allCases.map { .alert($0) } + [.letter, .meeting, .group]

  public var rawValue: String {
    switch self {
    case .alert(let kind): kind.rawValue
    case .letter: "letter"
    case .meeting: "meeting"
    case .group: "group"
    }
  }

  public init?(rawValue: String) {
    guard let kind = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = kind
  }

  public var meaning: String {
    switch self {
    case .alert(let kind): kind.meaning
    case .letter: "A letter is near."
    case .meeting: "A meeting is near, or a joined meeting has changed."
    case .group: "A member of a group has fallen behind, or sends no position."
    }
  }
}
