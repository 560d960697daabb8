import Records

/// A store whose changes are followed, without writing to it.
public protocol ChangesPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// From now on it is the file that is there now, whoever has begun or ended to write meanwhile,
  /// or put another in its place.
  func reopen() throws(PortError)
  /// Where the log ends; nil where none is kept.
  func changeLogEnd() throws(PortError) -> ChangeLogPosition?
  /// Whether what comes behind that position in the log is what came about since. It is not where
  /// an older copy of the store was put in its place.
  func goesOn(from position: ChangeLogPosition) throws(PortError) -> Bool
  /// In their order.
  func changes(after number: Int64, atMost most: Int) throws(PortError) -> [RecordChange]
  /// A record as it is now; nil: it is gone, or its table is none whose changes are noted.
  ///
  /// - Throws: `corrupt` when the row cannot be understood.
  func record(_ id: Int64, of layer: String) throws(PortError) -> (any StoredRecord)?
  /// Places by their name or UUID, all that have it.
  func places(called name: String) throws(PortError) -> [PlaceRow]
}
