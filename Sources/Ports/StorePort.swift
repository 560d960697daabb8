import Core
import Records

/// Where records are kept. When `write` returns, they survive a power cut.
public protocol RecordStorePort: AnyObject {
  var name: String { get }
  /// Makes sure that what is written next goes into the store of that name, opening it if need be.
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
  ///   - most: of those that stay where they are.
  ///   - receive: gets one after the other: all together may be large.
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
  ///   - mark: the `editMark` of what the caller knows; nil: nothing is known.
  ///   - change: gets what there is, or nil where no other program has changed it since; returns
  ///     what is to become of it.
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
  /// What is wrong with rows that could not be read.
  public var remarks: [String]
  /// The number of the first one of those that are too many; nil: there are no more.
  public var firstBeyond: Int64?

  public init(
    rows: [StoredAlert] = [], remarks: [String] = [], firstBeyond: Int64? = nil
  ) {
    self.rows = rows
    self.remarks = remarks
    self.firstBeyond = firstBeyond
  }
}

/// What there is to say of places that were read as rows, which nobody has checked.
public struct PlaceReading: Sendable {
  /// Whether there are more than were asked for.
  public var isCut: Bool
  /// What is wrong with rows that could not be read.
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
  /// Crossings and notices.
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
  /// The marks that its earlier openings left, the oldest first.
  ///
  /// An older copy of a store has the marks that the store had then, and no others; a copy that
  /// somebody else went on with has one that the store never had. Only the newest are kept.
  public var marks: [UInt32]
  /// The mark of this opening, by chance. The store has it as soon as something is written.
  public var mark: UInt32
  /// The highest ids in use.
  public var identifiers: StoreIdentifiers
  /// What is wrong with it, in words, although records can be stored.
  public var warning: String?
  /// What was done to it when it was opened, in words.
  public var notice: String?
  /// What other programs had removed, in words, and was made anew.
  public var mended: String?

  public init(
    marks: [UInt32], mark: UInt32, identifiers: StoreIdentifiers, warning: String? = nil,
    notice: String? = nil, mended: String? = nil
  ) {
    self.marks = marks
    self.mark = mark
    self.identifiers = identifiers
    self.warning = warning
    self.notice = notice
    self.mended = mended
  }
}

/// Hears the records that the tracker makes on their way to the store, and may have others stored
/// with them: alerts, statistics. What an earlier run left (visits and destinations that are taken
/// over or go on) it does not hear. Whoever passes on only what is durable stands around the store
/// instead, as a `StorePort` of its own.
public protocol RecordListener: AnyObject {
  /// - Returns: what is to be stored beside it.
  func heard(_ record: Record, at now: BootInstant) -> [Record]
  /// The newest accepted fix, whether it is recorded or not.
  func located(_ location: Location, at now: BootInstant)
}

extension RecordListener {
  public func located(_ location: Location, at now: BootInstant) {}
}
