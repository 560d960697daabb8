import Core
import Records

/// Where records are kept. When `write` returns, they survive a power cut.
public protocol StorePort: AnyObject {
  var name: String { get }
  /// Makes sure that what is written next goes into the store of that name, opening it if need be.
  ///
  /// - Throws: `moved` when the one that was open is no longer the one of that name. It is closed
  ///   then; the next call opens what is there.
  /// - Returns: what was opened; nil when nothing was since the last call.
  func ensureOpen() throws(StoreError) -> StoreOpening?
  /// All of them or none, in one transaction.
  func write(_ records: [Record]) throws(StoreError)
  /// Deletes what need not be kept any more. Says what it deleted; nil for nothing.
  func applyRetention(now: UTCInstant) throws(StoreError) -> String?
  /// What the tracker left at the last run; nil in a new store.
  func trackerState() throws(StoreError) -> String?
  /// The highest ids in use, so that new ones do not collide.
  func lastIdentifiers() throws(StoreError) -> StoreIdentifiers
  /// All destinations, to go on merging visits into them.
  func destinations() throws(StoreError) -> [Destination]
  /// What watching places has left at the last run; nil in a new store.
  func placeState() throws(StoreError) -> String?
  /// The places whose perimeter may reach into a box, and those that go with a device. Where there
  /// are many it is those nearest to the middle of the box, the nearest first.
  /// - Parameters:
  ///   - most: of those that stay where they are.
  ///   - take: gets one after the other: all together may be large.
  func places(
    near box: GeographicBox, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) -> PlaceReading
  /// Nil: there is none.
  func place(uuid: String) throws(StoreError) -> PlaceRow?
  /// What people want to be told of, as far as it is in force.
  func alerts() throws(StoreError) -> StoredAlerts
  /// Notices whose command has to be run, the oldest first.
  func waitingNotices(atMost most: Int) throws(StoreError) -> [Notice]
  /// What people have changed about places since those were told of who want to be, the oldest
  /// first.
  func placeEdits(after id: Int64, atMost most: Int) throws(StoreError) -> [StoredPlaceEdit]
  /// The places whose time has ended after a mark and by a moment, in the order of their ends, and
  /// when the next one's does.
  /// - Parameter unnoticed: without those of which a notice has told a change since.
  func placeEnds(
    after mark: PlaceEndMark, by end: UTCInstant, unnoticed: Bool, atMost most: Int
  ) throws(StoreError) -> PlaceEndPage
  /// The places to which the board came on at least so many days.
  func placesVisited(
    onDays days: Int, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError)
  /// What was done how often with these contents of places, by their UUIDs.
  func contentCounts(of contents: [String]) throws(StoreError) -> [ContentCount]
  /// What was chosen to be shown at an arrival; nil: nothing was.
  func shownContent(atCrossing id: Int64) throws(StoreError) -> ContentAction?
  /// What contents interest people, as JSON text; nil: nobody has said anything.
  func interests() throws(StoreError) -> String?
  /// Arrivals and departures since then, in their order.
  /// - Parameter most: of the newest ones.
  func crossings(since: UTCInstant, atMost most: Int) throws(StoreError) -> [Crossing]
  /// The places that have beacons, wherever they are.
  func placesWithBeacons(
    atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) -> PlaceReading
  /// What people exchange, and how it stands.
  func messages() throws(StoreError) -> [StoredMessage]
  /// Changes it in one transaction, in which nobody else writes.
  /// - Parameters:
  ///   - mark: the `editMark` of what the caller knows; nil: nothing is known.
  ///   - change: told what there is, or nil where no other program has changed it since; returns
  ///     what is to become of it.
  func changeMessages(
    since mark: Int64?, _ change: ([StoredMessage]?) -> MessageChange
  ) throws(StoreError)
  /// Another number whenever another program has changed the store; nil where none can.
  func editMark() throws(StoreError) -> Int64?
  /// Finishes and gives back what it holds. Nothing can be written after that.
  func close() throws(StoreError)
}

extension StorePort {
  /// Stores in memory, and files of one run, are always the same one.
  public func ensureOpen() throws(StoreError) -> StoreOpening? { nil }
  /// Stores in memory hold nothing that must be given back.
  public func close() throws(StoreError) {}
  // A store of one run has no places, unless it says so.
  public func placeState() throws(StoreError) -> String? { nil }
  public func places(
    near box: GeographicBox, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) -> PlaceReading { PlaceReading() }
  public func place(uuid: String) throws(StoreError) -> PlaceRow? { nil }
  public func alerts() throws(StoreError) -> StoredAlerts { StoredAlerts() }
  public func waitingNotices(atMost most: Int) throws(StoreError) -> [Notice] { [] }
  public func placeEdits(
    after id: Int64, atMost most: Int
  ) throws(StoreError) -> [StoredPlaceEdit] { [] }
  public func placeEnds(
    after mark: PlaceEndMark, by end: UTCInstant, unnoticed: Bool, atMost most: Int
  ) throws(StoreError) -> PlaceEndPage { PlaceEndPage() }
  public func placesVisited(
    onDays days: Int, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) {}
  public func contentCounts(of contents: [String]) throws(StoreError) -> [ContentCount] { [] }
  public func shownContent(atCrossing id: Int64) throws(StoreError) -> ContentAction? { nil }
  public func interests() throws(StoreError) -> String? { nil }
  public func crossings(
    since: UTCInstant, atMost most: Int
  ) throws(StoreError) -> [Crossing] { [] }
  public func placesWithBeacons(
    atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) -> PlaceReading { PlaceReading() }
  public func messages() throws(StoreError) -> [StoredMessage] { [] }
  public func changeMessages(
    since mark: Int64?, _ change: ([StoredMessage]?) -> MessageChange
  ) throws(StoreError) { throw .failed("this store keeps nothing of what people exchange") }
  public func changeMessages(
    _ change: ([StoredMessage]) -> MessageChange
  ) throws(StoreError) { try changeMessages(since: nil) { change($0 ?? []) } }
  public func editMark() throws(StoreError) -> Int64? { nil }
}

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

public enum StoreError: Error, Equatable, Sendable {
  case full(String)
  case readOnly(String)
  case corrupt(String)
  /// Written by a newer version of the program.
  case newer(String)
  case busy(String)
  /// What was open is no longer the store of that name: moved, replaced, deleted, written over.
  case moved(String)
  case failed(String)

  /// What happened, where, and what to do next.
  public var message: String {
    switch self {
    case .full(let text), .readOnly(let text), .corrupt(let text), .newer(let text),
      .busy(let text), .moved(let text), .failed(let text):
      text
    }
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
