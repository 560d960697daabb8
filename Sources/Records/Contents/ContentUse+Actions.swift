extension ContentUse {
  /// What a row of the action log says; nil: a rank that is no number, as another program may have
  /// left it.
  public init?(_ action: ContentAction) {
    switch action.kind {
    case .shown: self = .shown
    case .viewed: self = .viewed
    case .saved: self = .saved
    case .deleted: self = .deleted
    case .ranked:
      guard let rank = action.detail.flatMap({ Int($0) }) else { return nil }
      self = .ranked(rank)
    case .commented: self = .commented(action.detail ?? "")
    case .calendar: self = .addedToCalendar
    }
  }

  /// As the action log has it.
  public var kind: ContentAction.Kind {
    switch self {
    case .shown: .shown
    case .viewed: .viewed
    case .saved: .saved
    case .deleted: .deleted
    case .ranked: .ranked
    case .commented: .commented
    case .addedToCalendar: .calendar
    }
  }

  public var detail: String? {
    switch self {
    case .ranked(let rank): "\(rank)"
    case .commented(let text): text
    case .shown, .viewed, .saved, .deleted, .addedToCalendar: nil
    }
  }
}

extension ContentCounts {
  /// From an item's part of the action log, in its order. What could not have been done, as another
  /// program may have written it, does not count.
  public init(_ actions: some Sequence<ContentAction>) {
    self.init()
    for action in actions {
      guard let action = ContentUse(action) else { continue }
      try? count(action)
    }
  }
}
