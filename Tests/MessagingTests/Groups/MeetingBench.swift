import Core
import Records
import TestSupport

@testable import Messaging

/// A list of meetings with its store, and everything that it was told to do.
struct MeetingBench {
  static let date = UTCInstant(seconds: 1_777_600_000)
  static let olga = try! PersonAddress("olga")
  static let anna = try! PersonAddress("anna")
  static let ben = try! PersonAddress("ben")
  static let stage = Coordinate(latitude: 48.2, longitude: 16.37)

  static func id(_ number: Int) -> UniqueID {
    UniqueID(bytes: Array(repeating: 1, count: 14) + [UInt8(number >> 8), UInt8(number & 255)])!
  }

  static func place(_ east: Metres) -> Coordinate {
    Sphere.destination(from: stage, bearing: 90, distance: east)
  }

  /// Five hundred metres around the stage, for two hours, an hour from the beginning on.
  static func meeting(
    _ number: Int = 1, revision: Int = 1, by organizer: PersonAddress = olga,
    spot: Metres = 0, starts: Seconds = 3600, ends: Seconds = 10_800,
    invited: Addressees = .everybody, description: String = "At the left pillar",
    isCancelled: Bool = false
  ) -> Meeting {
    try! Meeting(
      id: id(number), revision: revision, organizer: organizer, name: "Festival",
      description: description, spot: place(spot),
      region: try! MeetingRegion(around: stage, radius: 500), starts: date + starts,
      ends: date + ends, invited: invited, isCancelled: isCancelled)
  }

  private(set) var meetings: MeetingList
  var now = 0.0
  var hasDate = true
  private(set) var stored: [UniqueID: MeetingRecord] = [:]
  /// What the organizer's next board would find, and what it would find no more.
  private(set) var secured: [Meeting] = []
  private(set) var released: [Meeting] = []
  /// Everything but what is stored, for whom, and when to wake.
  private(set) var told: [MeetingEffect] = []
  private(set) var wake: BootInstant?

  init(for me: PersonAddress = anna) { meetings = MeetingList(for: me) }

  var date: UTCInstant? { hasDate ? Self.date + Seconds(now) : nil }
  var visible: [UniqueID] { meetings.visible(at: Self.date + Seconds(now)).map(\.id) }
  var refused: [String] {
    told.compactMap { if case .refused(_, let error) = $0 { error.description } else { nil } }
  }

  mutating func step(_ event: MeetingEvent) {
    for effect in meetings.step(event, at: .boot(now), date: date) {
      switch effect {
      case .store(let record): stored[record.meeting.id] = record
      case .forget(let id): stored[id] = nil
      case .secure(let meeting): secured.append(meeting)
      case .release(let meeting): released.append(meeting)
      case .wake(let wake): self.wake = wake
      default: told.append(effect)
      }
    }
  }

  mutating func come(_ east: Metres, accuracy: Metres = 5) {
    step(
      .located(
        Location(
          time: Self.date + Seconds(now), position: Self.place(east), accuracy: accuracy)))
  }

  /// The board is killed, and starts again from what is on the disk.
  mutating func restart() throws {
    meetings = MeetingList(
      for: meetings.me, restoring: try stored.values.map { try MeetingRecord($0.bytes) })
  }
}
