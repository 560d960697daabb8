import Messaging
import Core

/// The result of a trial's letters, against the positions of their recipients.
public struct LetterScore {
  /// Certainly within a letter's circle of 20 m, and certainly outside it.
  private static let (within, beyond) = (Metres(12), Metres(60))
  /// A recipient who stays this long should get the letter.
  private static let stay = Seconds(300)

  private struct Track {
    let place: Coordinate
    var isKnown = false
    var isDelivered = false
    /// Since when the recipient is at the letter's place; nil: is elsewhere.
    var hereSince: UTCInstant?
    var isMet = false
  }

  public private(set) var written = 0
  /// Letters whose recipient was there for five minutes and more after they had reached the board.
  public private(set) var met = 0
  /// Of those, never delivered.
  public private(set) var missed = 0
  public private(set) var delivered = 0
  /// How often a journal reported a delivery: once for each.
  public internal(set) var told = 0
  /// Delivered elsewhere.
  public private(set) var elsewhere = 0
  /// From the arrival at the letter's place until its delivery.
  public private(set) var delays: [Seconds] = []
  /// How many receipts reached the authors.
  public internal(set) var receipts = 0
  private var tracks: [PersonAddress: [LetterKey: Track]] = [:]

  mutating func wrote(_ letter: Letter, to person: PersonAddress, at place: Coordinate) {
    written += 1
    tracks[person, default: [:]][letter.key] = Track(place: place)
  }

  /// The letters known on a person's board.
  mutating func known(
    _ records: [LetterRecord], to person: PersonAddress, from position: (Coordinate) -> Metres,
    at time: UTCInstant
  ) {
    for record in records {
      guard var track = tracks[person]?[record.key] else { continue }
      track.isKnown = true
      if !track.isDelivered, record.status == .delivered || record.status == .read {
        track.isDelivered = true
        delivered += 1
        if position(track.place) > Self.beyond { elsewhere += 1 }
        if let since = track.hereSince { delays.append(max(0, time - since)) }
      }
      tracks[person]?[record.key] = track
    }
  }

  /// A person's distance from each place.
  mutating func passed(
    _ person: PersonAddress, from position: (Coordinate) -> Metres, at time: UTCInstant
  ) {
    for (key, var track) in tracks[person] ?? [:] where track.isKnown && !track.isMet {
      if position(track.place) <= Self.within {
        let since = track.hereSince ?? time
        track.hereSince = since
        if time - since >= Self.stay {
          track.isMet = true
          met += 1
        }
      } else if position(track.place) > Self.beyond {
        track.hereSince = nil
      }
      tracks[person]?[key] = track
    }
  }

  /// Ends the trial.
  mutating func finish() {
    missed = tracks.values.reduce(0) { $0 + $1.values.count { $0.isMet && !$0.isDelivered } }
  }

  mutating func add(_ other: LetterScore) {
    written += other.written
    met += other.met
    delivered += other.delivered
    told += other.told
    elsewhere += other.elsewhere
    missed += other.missed
    delays += other.delays
    receipts += other.receipts
  }
}
