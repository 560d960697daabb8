import Core

/// A device has entered or left a region (`_type` "transition").
///
/// The Recorder crashes at one without a text for `desc` or `event`, Home Assistant fails at one
/// without `lat` and `lon`, and ignores leaving without an `acc` of more than 0: they are all
/// required, in both directions.
public struct OwnTracksTransition: Equatable, Sendable {
  public enum Event: String, Sendable { case enter, leave }

  public enum Trigger: String, Sendable {
    case circularRegion = "c"
    case beacon = "b"
    case location = "l"
  }

  var event: Event
  /// The place's name.
  var place: String
  var time: UTCInstant
  /// When the place was made, which identifies the waypoint in apps; nil: unknown.
  var placeCreatedAt: UTCInstant?
  /// The position of the device then.
  let position: Coordinate
  /// Of the position; at least 1 m is sent.
  let accuracy: Metres
  public var trigger: Trigger?
  public var regionID: String?
  public var trackerID: String?
  public var rest: [VerbatimMember] = []

  /// Nil: without a valid position no receiver could accept it.
  public init?(
    _ event: Event, _ place: String, at time: UTCInstant, _ position: Coordinate?,
    accuracy: Metres?
  ) {
    guard let position, position.isOnEarth, let accuracy, accuracy.value.isFinite else {
      return nil
    }
    self.event = event
    self.place = place
    self.time = time
    self.position = position
    self.accuracy = accuracy
  }

  init(_ fields: inout MessageFields) throws(MessageError) {
    let word = try MessageFields.require(try fields.text("event"), "event")
    guard let event = Event(rawValue: word) else {
      throw MessageError("it is neither \"enter\" nor \"leave\"", at: "event")
    }
    self.event = event
    place = try MessageFields.require(try fields.text("desc"), "desc")
    time = try MessageFields.require(try fields.time("tst"), "tst")
    placeCreatedAt = try fields.time("wtst")
    position = try MessageFields.require(try fields.position(), "lat")
    accuracy = Metres(try MessageFields.require(try fields.number("acc", in: 0...1e8), "acc"))
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
      json.position(position)
      json.field("acc", max(accuracy.value, 1), digits: 0)
      if let trigger { json.field("t", trigger.rawValue) }
      if let regionID { json.field("rid", regionID) }
      if let trackerID { json.field("tid", trackerID) }
      json.members(rest)
    }
  }
}
