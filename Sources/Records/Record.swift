import Core

/// What the store keeps. Records with an id replace the earlier one of that id.
public enum Record: Hashable, Sendable {
  case trackPoint(TrackPoint)
  /// A coarse track point is taken back because GNSS gave a better one with a similar time.
  case trackPointReplaced(time: UTCInstant)
  case visit(Visit)
  case visitWithdrawn(id: Int64)
  case destination(Destination)
  /// Its only visit was none.
  case destinationWithdrawn(id: Int64)
  case session(GnssSession)
  case coarse(CoarseObservation)
  case powerSegment(PowerSegment)
  /// A place with a radius.
  case placeCircle(StoredCircle)
  /// A place whose perimeter is drawn.
  case placeArea(StoredArea)
  /// The board came to a place, or left it.
  case crossing(Crossing)
  /// What people want to be told of.
  case alert(StoredAlert)
  /// An alert was to be raised once, and was.
  case alertOver(id: Int64)
  /// Who wants to be told of changes of places has been told of those up to this one.
  case placeEditsTold(upTo: Int64)
  /// What they are told.
  case notice(Notice)
  /// Something was done with what places show.
  case contentAction(ContentAction)
  /// What people exchange.
  case message(StoredMessage)
  /// `time` is nil while the date is unknown.
  case event(LogEvent, time: UTCInstant?)
  /// What the tracker needs to go on after a restart, as JSON text.
  case trackerState(String)
  /// What is needed to go on watching places after a restart, as JSON text.
  case placeState(String)
  /// What contents interest people, as JSON text.
  case interests(String)
  /// What made the records, as JSON text.
  case provenance(String)

  /// What is to be done in the store.
  public enum Request: Sendable {
    case keep(any StoredRecord)
    case deleteCoarsePoint(time: UTCInstant)
    case deleteVisit(id: Int64)
    /// One that the user has named stays, without visits.
    case deleteDestination(id: Int64)
    /// Whatever else a person has changed of it since stays.
    case disableAlert(id: Int64)
    case forgetPlaceEdits(upTo: Int64)
    case remember(Memory, String)
  }

  /// What the store keeps one text of.
  public enum Memory: Sendable { case trackerState, placeState, interests, provenance }

  public var request: Request {
    switch self {
    case .trackPoint(let point): .keep(point)
    case .trackPointReplaced(let time): .deleteCoarsePoint(time: time)
    case .visit(let visit): .keep(visit)
    case .visitWithdrawn(let id): .deleteVisit(id: id)
    case .destination(let destination): .keep(destination)
    case .destinationWithdrawn(let id): .deleteDestination(id: id)
    case .session(let session): .keep(session)
    case .coarse(let observation): .keep(observation)
    case .powerSegment(let segment): .keep(segment)
    case .placeCircle(let circle): .keep(circle)
    case .placeArea(let area): .keep(area)
    case .crossing(let crossing): .keep(crossing)
    case .alert(let alert): .keep(alert)
    case .alertOver(let id): .disableAlert(id: id)
    case .placeEditsTold(let id): .forgetPlaceEdits(upTo: id)
    case .notice(let notice): .keep(notice)
    case .contentAction(let action): .keep(action)
    case .message(let message): .keep(message)
    case .event(let logEvent, let time): .keep(TimedLogEvent(logEvent, time: time))
    case .trackerState(let text): .remember(.trackerState, text)
    case .placeState(let text): .remember(.placeState, text)
    case .interests(let text): .remember(.interests, text)
    case .provenance(let text): .remember(.provenance, text)
    }
  }

  /// The kinds that have a table, by the step that brought their tables into the schema. A step
  /// that was released is never changed: a new kind gets one of its own, at the end.
  public static let schema: [SchemaStep] = [
    SchemaStep(
      "tracks-1",
      [
        TrackPoint.self, Visit.self, Destination.self, GnssSession.self, CoarseObservation.self,
        PowerSegment.self, TimedLogEvent.self,
      ]),
    SchemaStep(gaps),
    SchemaStep("lines-3", lines: [.trajectory]),
    SchemaStep(restarts),
    SchemaStep(places, [StoredCircle.self, StoredArea.self]),
    SchemaStep(alerts, [Crossing.self, StoredAlert.self, Notice.self]),
    SchemaStep(followers),
    SchemaStep(changes),
    SchemaStep(beacons),
    SchemaStep(nearness),
    SchemaStep(contents, [ContentAction.self]),
    SchemaStep(messages, [StoredMessage.self]),
    SchemaStep(allGaps),
  ]

  /// What the board itself records, and hands on. Places and alerts are what people have put in.
  public static let ofBoard: [any StoredRecord.Type] = [
    TrackPoint.self, Visit.self, Destination.self, GnssSession.self, CoarseObservation.self,
    PowerSegment.self, TimedLogEvent.self, Crossing.self, Notice.self,
  ]

  /// Views of tables of points as lines.
  public static let lineLayers = schema.flatMap(\.lines)

  /// The step that brought what nobody watched, and how well energies are known.
  static let gaps = "gaps-2"
  /// The step that brought what the receiver was told to forget.
  static let restarts = "restarts-4"
  /// The step that brought the places that people name.
  public static let places = "places-5"
  /// The step that brought what happens at places, and alerts.
  public static let alerts = "alerts-6"
  /// The step that brought what those want to know who follow places.
  public static let followers = "followers-7"
  /// The step that brought the log of changes.
  public static let changes = "changes-8"
  /// The step that brought the beacons of places.
  public static let beacons = "beacons-9"
  /// The step that brought which crossings a beacon has told.
  static let nearness = "nearness-10"
  /// The step that brought what is done with the contents of places.
  public static let contents = "contents-11"
  /// The step that brought what people exchange.
  public static let messages = "messages-12"
  /// The step that brought every gap of a visit, and whether coarse sources alone tell of it.
  static let allGaps = "gaps-13"
}

/// Tables, columns of earlier tables, and views of them that came into the schema together.
public struct SchemaStep: Sendable {
  /// Unique; it stands in the store. Columns name their step by it.
  public let name: String
  /// Of the new tables.
  public let kinds: [any StoredRecord.Type]
  /// The new views.
  public let lines: [LineLayer]

  init(_ name: String, _ kinds: [any StoredRecord.Type] = [], lines: [LineLayer] = []) {
    self.name = name
    self.kinds = kinds
    self.lines = lines
  }
}
