import Records

/// Read-only access to the changes of a store.
public protocol ChangesPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// Opens the file that has the name now, even if it was replaced, or another program has begun or
  /// stopped writing.
  func reopen() throws(PortError)
  /// The end of the log; nil if there is none.
  func changeLogEnd() throws(PortError) -> ChangeLogPosition?
  /// Whether the log after that position contains the changes since then. False if an older copy of
  /// the store was put in its place.
  func continues(from position: ChangeLogPosition) throws(PortError) -> Bool
  /// In ascending order.
  func changes(after number: Int64, atMost most: Int) throws(PortError) -> [RecordChange]
  /// The current state of a record; nil: it was removed, or its table has no change log.
  ///
  /// - Throws: `corrupt` if the row cannot be interpreted.
  func record(_ id: Int64, of layer: String) throws(PortError) -> (any StoredRecord)?
  /// All places with that name or UUID.
  func places(called name: String) throws(PortError) -> [PlaceRow]
}
