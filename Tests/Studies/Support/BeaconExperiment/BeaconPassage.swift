import Core

/// An expected arrival or departure, and the report of it.
public struct BeaconPassage: Sendable {
  public enum Way: String, Sendable { case coming, going }

  public let way: Way
  public let place: String
  /// Arrival: the first time the beacon was strong. Departure: the last time.
  public let due: UTCInstant
  /// For a departure: when the beacon went out of range. Between `due` and this time the board is
  /// neither here nor gone, and a departure may be reported.
  public let dueUntil: UTCInstant
  /// Nil: it was not reported.
  public let told: UTCInstant?
  /// For a departure: when the beacon could last be received, even by a single advertisement.
  public let receivedUntil: UTCInstant

  /// From when it was due; for a departure from the instant of that range that is nearest to half a
  /// minute before the report. Nil: it was not reported.
  public var delay: Seconds? {
    told.map { max($0 - min(max($0 - 30, due), dueUntil), 0) }
  }

  /// Arrival within 5 s, departure after 30 ± 5 s.
  public var isInTime: Bool {
    guard let delay else { return false }
    return way == .coming ? delay <= 5 : Self.isInTime(delay)
  }

  /// For a departure, if measured from the last advertisement.
  public var isInTimeSinceReceived: Bool {
    told.map { Self.isInTime($0 - receivedUntil) } ?? false
  }

  private static func isInTime(_ delay: Seconds) -> Bool { delay >= 25 && delay <= 35 }
}

/// Compares all arrivals and departures at one beacon with the reports.
struct BeaconComparison {
  private(set) var passages: [BeaconPassage] = []
  /// How many departures were reported while the board was there.
  private(set) var falseGoings = 0

  private let place: String
  private let crossings: [BeaconStore.Told]

  /// - Parameters:
  ///   - presences: the presences at one beacon, in order of time.
  ///   - crossings: the crossings reported for its place, in order of time.
  ///   - end: the end of the trial.
  init(
    _ presences: [BeaconPresence], at place: String, _ crossings: [BeaconStore.Told],
    end: UTCInstant
  ) {
    self.place = place
    self.crossings = crossings
    var before = UTCInstant(seconds: 0)
    for (index, presence) in presences.enumerated() {
      come(presence, since: before)
      let next = index + 1 < presences.count ? presences[index + 1].begins : end
      go(presence, until: next)
      before = presence.ends
    }
  }

  private func isInside(at time: UTCInstant) -> Bool {
    crossings.last { $0.at <= time }.map { $0.change != .left } ?? false
  }

  /// - Parameter before: the end of the board's previous presence.
  private mutating func come(
    _ presence: BeaconPresence, since before: UTCInstant
  ) {
    let first = presence.begins
    let known = crossings.last { $0.at <= first }
    let wasInside = isInside(at: first)
    // A board that was reported as inside all the time has not arrived.
    if wasInside, let known, known.at <= before { return }
    let told =
      wasInside
      ? known
      : crossings.first { $0.change != .left && $0.at > first && $0.at <= presence.ends }
    passages.append(
      BeaconPassage(
        way: .coming, place: place, due: first, dueUntil: first, told: told?.at,
        receivedUntil: first))
  }

  private mutating func go(
    _ presence: BeaconPresence, until next: UTCInstant
  ) {
    let gone = crossings.filter {
      $0.change == .left && $0.at > presence.begins && $0.at < next
    }
    falseGoings += gone.count { $0.at <= presence.ends }
    let told = gone.first { $0.at > presence.ends }?.at
    // A board that comes back before its departure is due has not left.
    guard isInside(at: presence.ends), told != nil || next - presence.reachedUntil > 35
    else { return }
    passages.append(
      BeaconPassage(
        way: .going, place: place, due: presence.ends, dueUntil: presence.reachedUntil, told: told,
        receivedUntil: presence.receivedUntil))
  }
}
