import Core

/// The records of the store. A record with an id replaces the earlier one with that id.
public enum Record: Hashable, Sendable {
  case trackPoint(TrackPoint)
  /// A coarse track point is withdrawn because GNSS gave a better one with a similar time.
  case trackPointReplaced(time: UTCInstant)
  case visit(Visit)
  case visitWithdrawn(id: Int64)
  case destination(Destination)
  /// Its only visit was withdrawn.
  case destinationWithdrawn(id: Int64)
  case session(GnssSession)
  case coarse(CoarseObservation)
  case powerSegment(PowerSegment)
  /// A place with a radius.
  case placeCircle(StoredCircle)
  /// A place with a drawn perimeter.
  case placeArea(StoredArea)
  /// The board entered or left a place.
  case crossing(Crossing)
  /// A request to be notified.
  case alert(StoredAlert)
  /// A one-time alert has been raised.
  case alertFinished(id: Int64)
  /// Changes of places up to this one have been reported.
  case placeEditsReported(upTo: Int64)
  /// A notification for people.
  case notice(Notice)
  /// An action on a content of a place.
  case contentAction(ContentAction)
  /// Messages of peers.
  case message(StoredMessage)
  /// `time` is nil while the date is unknown.
  case event(LogEvent, time: UTCInstant?)
  /// The tracker's state for a restart, as JSON text.
  case trackerState(String)
  /// The state of place monitoring for a restart, as JSON text.
  case placeState(String)
  /// The interest scores of contents, as JSON text.
  case interests(String)
  /// The origin of the records, as JSON text.
  case provenance(String)

  /// The operation on the store.
  public enum Request: Sendable {
    case keep(any StoredRecord)
    case deleteCoarsePoint(time: UTCInstant)
    case deleteVisit(id: Int64)
    /// A destination with a user's label stays, without visits.
    case deleteDestination(id: Int64)
    /// Other changes that a person has made to it since are kept.
    case disableAlert(id: Int64)
    case forgetPlaceEdits(upTo: Int64)
    case remember(Memory, String)
  }

  /// Texts of which the store keeps one each.
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
    case .alertFinished(let id): .disableAlert(id: id)
    case .placeEditsReported(let id): .forgetPlaceEdits(upTo: id)
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

  /// The kinds that have a table, by the step that added their tables to the schema. A released
  /// step is never changed: a new kind gets its own step, at the end.
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

  /// Records of the board itself, which are passed on. Places and alerts are entered by people.
  public static let ofBoard: [any StoredRecord.Type] = [
    TrackPoint.self, Visit.self, Destination.self, GnssSession.self, CoarseObservation.self,
    PowerSegment.self, TimedLogEvent.self, Crossing.self, Notice.self,
  ]

  /// Views of tables of points as lines.
  public static let lineLayers = schema.flatMap(\.lines)

  /// The step that added unobserved times and the uncertainty of energies.
  static let gaps = "gaps-2"
  /// The step that added restart commands.
  static let restarts = "restarts-4"
  /// The step that added named places.
  public static let places = "places-5"
  /// The step that added crossings and alerts.
  public static let alerts = "alerts-6"
  /// The step that added the data for followers of places.
  public static let followers = "followers-7"
  /// The step that added the log of changes.
  public static let changes = "changes-8"
  /// The step that added the beacons of places.
  public static let beacons = "beacons-9"
  /// The step that added whether a beacon caused a crossing.
  static let nearness = "nearness-10"
  /// The step that added the contents of places and the actions on them.
  public static let contents = "contents-11"
  /// The step that added peer messages.
  public static let messages = "messages-12"
  /// The step that added every gap of a visit, and whether it relies on coarse sources alone.
  static let allGaps = "gaps-13"
}

/// Tables, columns of earlier tables, and views that were added to the schema together.
public struct SchemaStep: Sendable {
  /// Unique, and written into the store. Columns refer to their step by it.
  public let name: String
  /// The kinds of the new tables.
  public let kinds: [any StoredRecord.Type]
  /// The new views.
  public let lines: [LineLayer]

  init(_ name: String, _ kinds: [any StoredRecord.Type] = [], lines: [LineLayer] = []) {
    self.name = name
    self.kinds = kinds
    self.lines = lines
  }
}
