extension ContentUse {
  /// Decodes a row of the action log; nil for a rank that is no number, which another program may
  /// have written.
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

  /// The action's kind in the action log.
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
  /// Counts an item's rows of the action log, in order. Impossible actions, which another program
  /// may have written, are ignored.
  public init(_ actions: some Sequence<ContentAction>) {
    self.init()
    for action in actions {
      guard let action = ContentUse(action) else { continue }
      try? count(action)
    }
  }
}
