import Core
import Records

/// Where records are kept. When `write` returns, they survive a power cut.
public protocol RecordStorePort: AnyObject {
  var name: String { get }
  /// Ensures that the next write goes into the store with that name, and opens it if necessary.
  ///
  /// - Throws: `moved` when the one that was open is no longer the one of that name. It is closed
  ///   then; the next call opens what is there.
  /// - Returns: what was opened; nil when nothing was since the last call.
  func ensureOpen() throws(PortError) -> StoreOpening?
  /// All of them or none, in one transaction.
  func write(_ records: [Record]) throws(PortError)
  /// Deletes what need not be kept any more.
  /// - Returns: what was deleted, in words; nil: nothing.
  func applyRetention(now: UTCInstant) throws(PortError) -> String?
  /// What the tracker left at the last run; nil in a new store.
  func trackerState() throws(PortError) -> String?
  /// The highest ids in use, so that new ones do not collide.
  func lastIdentifiers() throws(PortError) -> StoreIdentifiers
  /// All destinations, to go on merging visits into them.
  func destinations() throws(PortError) -> [Destination]
  /// Finishes and gives back what it holds. Nothing can be written after that.
  func close() throws(PortError)
}

/// The places of a store, and what happened to them.
public protocol PlaceStorePort: AnyObject {
  /// What watching places has left at the last run; nil in a new store.
  func placeState() throws(PortError) -> String?
  /// The places whose perimeter may reach into a box, and those that go with a device. Where there
  /// are many it is those nearest to the middle of the box, the nearest first.
  /// - Parameters:
  ///   - most: the limit of stationary places.
  ///   - receive: gets one place at a time, because all together may be large.
  func places(
    near box: GeographicBox, atMost most: Int, _ receive: (PlaceRow) -> Void
  ) throws(PortError) -> PlaceReading
  /// Nil: there is none.
  func place(uuid: String) throws(PortError) -> PlaceRow?
  /// The places that have beacons, wherever they are.
  func placesWithBeacons(
    atMost most: Int, _ receive: (PlaceRow) -> Void
  ) throws(PortError) -> PlaceReading
  /// The places to which the board came on at least so many days.
  func placesVisited(
    onDays days: Int, atMost most: Int, _ receive: (PlaceRow) -> Void
  ) throws(PortError)
  /// What people have changed about places since the last change that was notified, the oldest
  /// first.
  func placeEdits(after id: Int64, atMost most: Int) throws(PortError) -> [StoredPlaceEdit]
  /// The places whose time has ended after a mark and by a moment, in the order of their ends, and
  /// when the next one's does.
  /// - Parameter unnoticed: without those of which a notice has reported a change since.
  func placeEnds(
    after mark: PlaceEndMark, by end: UTCInstant, unnoticed: Bool, atMost most: Int
  ) throws(PortError) -> PlaceEndPage
  /// Arrivals and departures since then, in their order.
  /// - Parameter most: of the newest ones.
  func crossings(since: UTCInstant, atMost most: Int) throws(PortError) -> [Crossing]
}

/// Alerts and their notices.
public protocol NoticeStorePort: AnyObject {
  /// Alerts that are in force.
  func alerts() throws(PortError) -> StoredAlerts
  /// Notices whose command has to be run, the oldest first.
  func waitingNotices(atMost most: Int) throws(PortError) -> [Notice]
}

/// The contents of places, and what was done with them.
public protocol ContentStorePort: AnyObject {
  /// How often which action was taken on these contents, by their UUIDs.
  func contentCounts(of contents: [String]) throws(PortError) -> [ContentCount]
  /// What was chosen to be shown at an arrival; nil: nothing was.
  func shownContent(atCrossing id: Int64) throws(PortError) -> ContentAction?
  /// What contents interest people, as JSON text; nil: nothing is declared.
  func interests() throws(PortError) -> String?
}

/// What people exchange.
public protocol MessageStorePort: AnyObject {
  /// All messages, with their state.
  func messages() throws(PortError) -> [StoredMessage]
  /// Changes them in one transaction, in which no other program writes.
  /// - Parameters:
  ///   - mark: the `editMark` of the caller's knowledge; nil: nothing is known.
  ///   - change: receives the current messages, or nil if no other program has changed them since;
  ///     returns the change.
  func changeMessages(
    since mark: Int64?, _ change: ([StoredMessage]?) -> MessageChange
  ) throws(PortError)
  /// Another number whenever another program has changed the store; nil where none can.
  func editMark() throws(PortError) -> Int64?
}

extension MessageStorePort {
  public func changeMessages(
    _ change: ([StoredMessage]) -> MessageChange
  ) throws(PortError) { try changeMessages(since: nil) { change($0 ?? []) } }
}

/// A store of all subjects.
public typealias StorePort =
  RecordStorePort & PlaceStorePort & NoticeStorePort & ContentStorePort & MessageStorePort

/// Alerts as rows, which nobody has checked.
public struct StoredAlerts: Sendable {
  public var rows: [StoredAlert]
  /// The faults of rows that could not be read.
  public var remarks: [String]
  /// The id of the first alert beyond the limit; nil: there are no more.
  public var firstBeyond: Int64?

  public init(
    rows: [StoredAlert] = [], remarks: [String] = [], firstBeyond: Int64? = nil
  ) {
    self.rows = rows
    self.remarks = remarks
    self.firstBeyond = firstBeyond
  }
}

/// The remarks on a reading of places as rows, whose values are unchecked.
public struct PlaceReading: Sendable {
  /// Whether there are more than requested.
  public var isCut: Bool
  /// The faults of rows that could not be read.
  public var remarks: [String]

  public init(isCut: Bool = false, remarks: [String] = []) {
    self.isCut = isCut
    self.remarks = remarks
  }
}

public struct StoreIdentifiers: Hashable, Sendable {
  public var visit: Int64
  public var destination: Int64
  public var session: Int64
  /// For crossings and notices.
  public var occurrence: Int64

  public init(
    visit: Int64 = 0, destination: Int64 = 0, session: Int64 = 0, occurrence: Int64 = 0
  ) {
    self.visit = visit
    self.destination = destination
    self.session = session
    self.occurrence = occurrence
  }
}

/// What a store says of itself when it has been opened.
public struct StoreOpening: Hashable, Sendable {
  /// The marks of its earlier openings, the oldest first.
  ///
  /// An older copy of a store has only the marks that the store had then. A copy with which another
  /// program has continued has a mark that the store never had. Only the newest marks are kept.
  public var marks: [UInt32]
  /// The random mark of this opening. It is stored with the first write.
  public var mark: UInt32
  /// The highest ids in use.
  public var identifiers: StoreIdentifiers
  /// A fault of the store that does not prevent writing, in words.
  public var warning: String?
  /// The changes made to it when it was opened, in words.
  public var notice: String?
  /// Parts that other programs had removed and that were recreated, in words.
  public var repaired: String?

  public init(
    marks: [UInt32], mark: UInt32, identifiers: StoreIdentifiers, warning: String? = nil,
    notice: String? = nil, mended: String? = nil
  ) {
    self.marks = marks
    self.mark = mark
    self.identifiers = identifiers
    self.warning = warning
    self.notice = notice
    self.repaired = mended
  }
}

/// Receives the records of the tracker on their way to the store, and may add others: alerts,
/// statistics. It does not receive what an earlier run left (visits and destinations that are taken
/// over or continued). A listener for durable records only wraps the store instead, as a
/// `StorePort` of its own.
public protocol RecordListener: AnyObject {
  /// - Returns: records to be stored with it.
  func received(_ record: Record, at now: BootInstant) -> [Record]
  /// The newest accepted fix, whether it is recorded or not.
  func located(_ location: Location, at now: BootInstant)
}

extension RecordListener {
  public func located(_ location: Location, at now: BootInstant) {}
}
