import Messaging
import Core

/// Which members of a group were reported as behind, against their distance from the guide.
public struct GroupScore {
  /// As a share of the range: a member nearer than the first is never reported, one farther than
  /// the second always.
  private static let (least, sure) = (0.75, 1.5)
  /// A member who is behind this long must be reported.
  private static let long = Seconds(120)
  /// The allowed age of a position, and the allowed delay of a return.
  private static let late = Seconds(300)

  private struct Episode {
    let begins: UTCInstant
    var ends: UTCInstant
    var isSure = false
    var told: Set<PersonAddress> = []
  }

  /// A member was certainly behind; counted once for each board of the group.
  public private(set) var due = 0
  public private(set) var right = 0
  /// Reports of a member at about the range.
  public private(set) var edge = 0
  public private(set) var repeated = 0
  public private(set) var wrong = 0
  public private(set) var missed = 0
  /// From leaving the range to the report.
  public private(set) var delays: [Seconds] = []
  /// How often no position of a member or of the guide arrived.
  public internal(set) var unheard = 0
  private let range: Metres
  private var open: [PersonAddress: Episode] = [:]
  private var near: [PersonAddress: UTCInstant] = [:]

  init(range: Metres) { self.range = range }

  /// A member's distance from the guide.
  mutating func moved(
    _ person: PersonAddress, _ distance: Metres, boards: [PersonAddress], at time: UTCInstant
  ) {
    if distance > range * Self.least { near[person] = time }
    if distance > range {
      var episode = open[person] ?? Episode(begins: time, ends: time)
      episode.ends = time
      if distance > range * Self.sure, time - episode.begins >= Self.long { episode.isSure = true }
      open[person] = episode
    } else if let episode = open[person], time - episode.ends > Self.late {
      close(episode, of: person, boards)
    }
  }

  /// Ends the walk.
  mutating func finish(boards: [PersonAddress]) {
    for (person, episode) in open { close(episode, of: person, boards) }
  }

  private mutating func close(
    _ episode: Episode, of person: PersonAddress, _ boards: [PersonAddress]
  ) {
    open[person] = nil
    guard episode.isSure else { return }
    due += boards.count
    missed += boards.count { !episode.told.contains($0) }
  }

  mutating func told(_ board: PersonAddress, of person: PersonAddress, at time: UTCInstant) {
    guard var episode = open[person] else {
      let wasNear = near[person].map { time - $0 <= Self.late } ?? false
      if wasNear { edge += 1 } else { wrong += 1 }
      return
    }
    if episode.told.insert(board).inserted {
      right += 1
      delays.append(time - episode.begins)
    } else {
      repeated += 1
    }
    open[person] = episode
  }

  mutating func add(_ other: GroupScore) {
    due += other.due
    right += other.right
    edge += other.edge
    repeated += other.repeated
    wrong += other.wrong
    missed += other.missed
    delays += other.delays
    unheard += other.unheard
  }
}
