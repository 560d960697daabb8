import Core
import Records
import TestSupport

@testable import Messaging

/// A group with its store and all its notifications.
struct GroupBench {
  static let date = UTCInstant(seconds: 1_777_600_000)
  static let guide = try! PersonAddress("guide")
  static let mia = try! PersonAddress("mia")
  static let tom = try! PersonAddress("tom")
  static let start = Coordinate(latitude: 48.2, longitude: 16.37)
  static let id = UniqueID(bytes: Array(repeating: 7, count: 16))!

  static func place(_ east: Metres) -> Coordinate {
    Sphere.destination(from: start, bearing: 90, distance: east)
  }

  static func group(
    revision: Int = 1, guide: PersonAddress = guide, range: Metres = 200,
    allowed: Addressees = .everybody, ends: UTCInstant? = nil
  ) -> Group {
    try! Group(
      id: id, revision: revision, name: "Class 3b", guide: guide, range: range, allowed: allowed,
      ends: ends, oldest: 600, pause: 120)
  }

  static func join(
    _ person: PersonAddress, _ action: MembershipChange.Action = .join, at: Seconds? = 0
  ) -> MembershipChange {
    MembershipChange(action, .group, id, person: person, at: at.map { date + $0 })
  }

  private let me: PersonAddress
  private(set) var watch: GroupWatch
  var now = 0.0
  var hasDate = true
  /// The state on the disk.
  private(set) var stored: GroupState
  private(set) var news: [GroupNotification] = []
  private(set) var refused: [String] = []
  private(set) var asked: [[PersonAddress]] = []
  var wake: BootInstant? { watch.wake }

  /// - Parameter me: the owner of the board; by default the guide.
  init(
    _ group: Group = group(), _ members: [PersonAddress] = [], of me: PersonAddress = guide
  ) {
    self.me = me
    watch = GroupWatch(group, for: me)
    stored = watch.state
    for member in members { step(.attendance(Self.join(member))) }
    news = []
  }

  var alerts: [GroupNotification] { news.filter(\.isAlert) }
  var date: UTCInstant? { hasDate ? Self.date + Seconds(now) : nil }

  /// - Returns: whether the event was accepted.
  @discardableResult
  mutating func step(_ event: GroupEvent) -> Bool {
    var step = MessagingStep(at: .boot(now), date: date, hasBroker: true)
    watch.step(event, &step)
    if !step.result.change.stored.isEmpty { stored = watch.state }
    for case .group(_, let one) in step.result.notifications { news.append(one) }
    refused += step.result.refusals.map(\.error.description)
    if !watch.requested.isEmpty { asked.append(watch.requested) }
    return step.result.refusals.isEmpty
  }

  static func position(
    _ person: PersonAddress, _ east: Metres, accuracy: Metres = 5, at seconds: Double
  ) -> GroupPosition {
    try! GroupPosition(
      place(east), accuracy: accuracy, at: date + Seconds(seconds), of: person, in: id)
  }

  /// - Parameter age: transmission delay of the position in seconds.
  mutating func tell(
    _ person: PersonAddress, _ east: Metres, accuracy: Metres = 5, age: Double = 0
  ) {
    step(.position(Self.position(person, east, accuracy: accuracy, at: now - age)))
  }

  /// The board is killed and restarts from its disk.
  mutating func restart() throws {
    watch = GroupWatch(restoring: try GroupState(stored.bytes), for: me)
  }
}
