import ReceiverProtocols

/// What the setting `receiver.family` takes: a family of receivers, or that it is asked.
public enum FamilyChoice: Hashable, Sendable, RawRepresentable, CaseIterable {
  case auto
  case known(ReceiverFamily)

  public static let allCases = [FamilyChoice.auto] + ReceiverFamily.allCases.map(FamilyChoice.known)

  public init?(rawValue: String) {
    guard let choice = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = choice
  }

  public var rawValue: String { family?.rawValue ?? "auto" }

  /// Nil: the receiver is asked.
  public var family: ReceiverFamily? {
    switch self {
    case .auto: nil
    case .known(let family): family
    }
  }
}
