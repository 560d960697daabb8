import Records

extension Tracker {
  /// Goes on in a store whose ids are not this run's.
  public mutating func renumber(by shift: Renumbering) {
    session?.id += shift.sessions
    nextSessionID += shift.sessions
    perception.detector.renumber(by: shift)
    perception.book.renumber(by: shift)
  }

  /// What a store has to know for the records to come: the destinations, the visit that goes on,
  /// the session that runs.
  public var standing: [Record] {
    perception.destinations.map { .destination($0) } + (openVisit.map { [.visit($0)] } ?? [])
      + (session.map { [.session($0)] } ?? [])
  }
}

extension VisitDetector {
  mutating func renumber(by shift: Renumbering) {
    nextID += shift.visits
    announced = announced.map { shift($0) }
    ended = ended.map { shift($0) }
  }
}
