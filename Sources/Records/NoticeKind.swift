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
    case .letter: "A letter lies near."
    case .meeting: "A meeting is held near, or one that was joined has changed."
    case .group: "Somebody of a group has fallen behind, or is not heard of."
    }
  }
}
