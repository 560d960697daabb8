import Core

/// A coming or going that was due, and what was told of it.
public struct BeaconPassage: Sendable {
  public enum Way: String, Sendable { case coming, going }

  public let way: Way
  public let place: String
  /// Coming: when the beacon was strong first. Going: when it was so last.
  public let due: UTCInstant
  /// Of going: until when the beacon was in reach. In between the board is neither here nor gone,
  /// and going may be told.
  public let dueUntil: UTCInstant
  /// Nil: it was not told.
  public let told: UTCInstant?
  /// Of going: when the beacon could be received last, be it one advertisement of few.
  public let receivedUntil: UTCInstant

  /// From when it was due; of going from that moment that is nearest to half a minute before.
  /// Nil: it was not told.
  public var delay: Seconds? {
    told.map { max($0 - min(max($0 - 30, due), dueUntil), 0) }
  }

  /// Coming within 5 s, going after 30 ± 5 s.
  public var isInTime: Bool {
    guard let delay else { return false }
    return way == .coming ? delay <= 5 : Self.isInTime(delay)
  }

  /// Going, if it counted from the last advertisement.
  public var isInTimeSinceReceived: Bool {
    told.map { Self.isInTime($0 - receivedUntil) } ?? false
  }

  private static func isInTime(_ delay: Seconds) -> Bool { delay >= 25 && delay <= 35 }
}

/// What was told of all comings and goings at one beacon.
struct BeaconComparison {
  private(set) var passages: [BeaconPassage] = []
  /// How often going was told while the board was there.
  private(set) var falseGoings = 0

  private let place: String
  private let crossings: [BeaconStore.Told]

  /// - Parameters:
  ///   - presences: at one beacon, in the order of time.
  ///   - crossings: that were told of its place, in the order of time.
  ///   - end: of the trial.
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

  /// - Parameter before: when the board was there the time before.
  private mutating func come(
    _ presence: BeaconPresence, since before: UTCInstant
  ) {
    let first = presence.begins
    let known = crossings.last { $0.at <= first }
    let wasInside = isInside(at: first)
    // Who was told to be there ever since has not come.
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
    // Who comes back before it is due has not gone.
    guard isInside(at: presence.ends), told != nil || next - presence.reachedUntil > 35
    else { return }
    passages.append(
      BeaconPassage(
        way: .going, place: place, due: presence.ends, dueUntil: presence.reachedUntil, told: told,
        receivedUntil: presence.receivedUntil))
  }
}
