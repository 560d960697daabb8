import Notation
import Quantities

/// A device has come to a place or left it (`_type` "transition").
///
/// The Recorder ends at one without a text for `desc` or `event`: they cannot be left out.
public struct OwnTracksTransition: Equatable, Sendable {
  public enum Event: String, Sendable { case enter, leave }

  public enum Trigger: String, Sendable {
    case circularRegion = "c"
    case beacon = "b"
    case location = "l"
  }

  public var event: Event
  /// The place's name.
  public var place: String
  public var time: UTCInstant
  /// By which apps know the waypoint.
  public var placeCreatedAt: UTCInstant?
  public var position: Coordinate?
  /// More than 0: Home Assistant takes no leaving without it.
  public var accuracy: Metres?
  public var trigger: Trigger?
  public var regionID: String?
  public var trackerID: String?
  public var rest: [VerbatimMember] = []

  public init(_ event: Event, _ place: String, at time: UTCInstant) {
    self.event = event
    self.place = place
    self.time = time
  }

  init(_ fields: inout MessageFields) throws(MessageError) {
    let word = try MessageFields.require(try fields.text("event"), "event")
    guard let event = Event(rawValue: word) else {
      throw MessageError("event", "it is neither \"enter\" nor \"leave\"")
    }
    self.event = event
    place = try MessageFields.require(try fields.text("desc"), "desc")
    time = try MessageFields.require(try fields.time("tst"), "tst")
    placeCreatedAt = try fields.time("wtst")
    position = try fields.position()
    accuracy = try fields.number("acc", in: 0...1e8).map { Metres($0) }
    trigger = try fields.word("t", as: Trigger.self)
    regionID = try fields.text("rid")
    trackerID = try fields.text("tid")
    rest = fields.rest
  }

  func append(to json: inout JSONWriter) {
    json.object { json in
      json.field("_type", "transition")
      json.field("event", event.rawValue)
      json.field("desc", place)
      json.field("tst", unixTime: time)
      json.field("wtst", unixTime: placeCreatedAt)
      if let position { json.position(position) }
      json.field("acc", ifKnown: accuracy.map { max($0.value, 1) }, digits: 0)
      if let trigger { json.field("t", trigger.rawValue) }
      if let regionID { json.field("rid", regionID) }
      if let trackerID { json.field("tid", trackerID) }
      json.members(rest)
    }
  }
}
