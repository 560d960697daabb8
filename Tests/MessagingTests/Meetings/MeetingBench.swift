import Core
import Records
import TestSupport

@testable import Messaging

/// A list of meetings with its store and all its effects.
struct MeetingBench {
  /// What a step reported or sent.
  enum Told: Equatable {
    case publish(Meeting, under: [String])
    case clear([String])
    case send(MembershipChange, to: PersonAddress)
    case appeared(Meeting)
    case changed(Meeting, [MeetingChange])
    case over(Meeting, MeetingEnd)
    case attended(Meeting, MembershipChange)
    case refused(MessageError)
  }

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

  /// Five hundred metres around the stage, for two hours, beginning in an hour.
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
  /// How often a record was written.
  private(set) var stores = 0
  /// What the organizer's next board would find, and what has been removed for it.
  private(set) var secured: [Meeting] = []
  private(set) var released: [UniqueID] = []
  private(set) var told: [Told] = []
  var wake: BootInstant? { meetings.wake }

  init(for me: PersonAddress = anna) { meetings = MeetingList(for: me) }

  var date: UTCInstant? { hasDate ? Self.date + Seconds(now) : nil }
  var visible: [UniqueID] { meetings.visible(at: Self.date + Seconds(now)).map(\.id) }
  var refused: [String] {
    told.compactMap { if case .refused(let error) = $0 { error.description } else { nil } }
  }

  mutating func step(_ event: MeetingEvent) {
    var step = MessagingStep(at: .boot(now), date: date, hasBroker: true)
    meetings.step(event, &step)
    let result = step.result
    for key in result.change.removed {
      if key.kind == .meeting, let id = UniqueID(key.name) { stored[id] = nil }
    }
    for item in result.change.stored where item.key.kind == .meeting {
      if let record = try? MeetingRecord(Array(item.text.utf8)) {
        stored[record.meeting.id] = record
        stores += 1
      }
    }
    hear(step.queue.all)
    for news in result.notifications {
      switch news {
      case .meetingAppeared(let meeting): told.append(.appeared(meeting))
      case .meetingChanged(let meeting, let changes): told.append(.changed(meeting, changes))
      case .meetingOver(let meeting, let end): told.append(.over(meeting, end))
      case .attended(let meeting, let one): told.append(.attended(meeting, one))
      default: break
      }
    }
    told += result.refusals.map { .refused($0.error) }
  }

  /// Messages received by others, and by the person's own next board.
  private mutating func hear(_ publications: [Publication]) {
    var (published, cleared): (Meeting?, [String]) = (nil, [])
    var topics: [String] = []
    for publication in publications {
      guard let topic = try? MessageTopic(parsing: publication.topic) else { continue }
      let isOwn = isSecured(publication.topic)
      switch try? PeerMessage(publication.payload) {
      case .meeting(let meeting) where isOwn: secured.append(meeting)
      case .meeting(let meeting):
        published = meeting
        topics.append(publication.topic)
      case .attendance(let one):
        let host = publication.topic.split(separator: "/")[1]
        if let host = try? PersonAddress(String(host)) { told.append(.send(one, to: host)) }
      default:
        // The organizer's list of attendees is cleared with a joined meeting.
        guard topic.root != .attendance else { continue }
        if isOwn { released.append(topic.id) } else { cleared.append(publication.topic) }
      }
    }
    if let published { told.append(.publish(published, under: topics)) }
    if !cleared.isEmpty { told.append(.clear(cleared)) }
  }

  private func isSecured(_ topic: String) -> Bool {
    topic.hasPrefix("godwit-meetings/\(meetings.me)/\(meetings.me)/")
  }

  mutating func come(_ east: Metres, accuracy: Metres = 5) {
    step(
      .located(
        Location(
          time: Self.date + Seconds(now), position: Self.place(east), accuracy: accuracy)))
  }

  /// The board is killed and restarts from its disk.
  mutating func restart() throws {
    meetings = MeetingList(for: meetings.me)
    for (id, record) in stored {
      try meetings.restore(StoredMessage(.init(.meeting, "\(id)"), utf8: record.bytes))
    }
  }
}
