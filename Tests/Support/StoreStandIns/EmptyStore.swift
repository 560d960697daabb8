import Core
import Ports
import Records

/// An empty store in memory that keeps nothing; a test overrides what it needs.
open class EmptyStore: StorePort {
  public init() {}

  open var name: String { "memory" }
  open func ensureOpen() throws(PortError) -> StoreOpening? { nil }
  open func write(_ records: [Record]) throws(PortError) {}
  open func applyRetention(now: UTCInstant) throws(PortError) -> String? { nil }
  open func trackerState() throws(PortError) -> String? { nil }
  open func lastIdentifiers() throws(PortError) -> StoreIdentifiers { StoreIdentifiers() }
  open func destinations() throws(PortError) -> [Destination] { [] }
  open func close() throws(PortError) {}

  open func placeState() throws(PortError) -> String? { nil }
  open func places(
    near box: GeographicBox, atMost most: Int, _ receive: (PlaceRow) -> Void
  ) throws(PortError) -> PlaceReading { PlaceReading() }
  open func place(uuid: String) throws(PortError) -> PlaceRow? { nil }
  open func placesWithBeacons(
    atMost most: Int, _ receive: (PlaceRow) -> Void
  ) throws(PortError) -> PlaceReading { PlaceReading() }
  open func placesVisited(
    onDays days: Int, atMost most: Int, _ receive: (PlaceRow) -> Void
  ) throws(PortError) {}
  open func placeEdits(after id: Int64, atMost most: Int) throws(PortError) -> [StoredPlaceEdit] {
    []
  }
  open func placeEnds(
    after mark: PlaceEndMark, by end: UTCInstant, unnoticed: Bool, atMost most: Int
  ) throws(PortError) -> PlaceEndPage { PlaceEndPage() }
  open func crossings(since: UTCInstant, atMost most: Int) throws(PortError) -> [Crossing] { [] }

  open func alerts() throws(PortError) -> StoredAlerts { StoredAlerts() }
  open func waitingNotices(atMost most: Int) throws(PortError) -> [Notice] { [] }

  open func contentCounts(of contents: [String]) throws(PortError) -> [ContentCount] { [] }
  open func shownContent(atCrossing id: Int64) throws(PortError) -> ContentAction? { nil }
  open func interests() throws(PortError) -> String? { nil }

  open func messages() throws(PortError) -> [StoredMessage] { [] }
  open func changeMessages(
    since mark: Int64?, _ change: ([StoredMessage]?) -> MessageChange
  ) throws(PortError) { throw .failed("this store keeps no messages") }
  open func editMark() throws(PortError) -> Int64? { nil }
}
