import RadioSignals
import Core
import Records

/// The radio map that this device has learnt from the access points and cells around it, and the
/// imported table of cells. It is read at each scan and saved at some of the good fixes. Without it
/// the tracker works as if nothing were known.
public protocol RadioMapPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// The pseudonyms of this device; a new map generates a new salt.
  func pseudonyms() throws(PortError) -> Pseudonyms
  /// The known ones of these access points, in any order.
  func accessPoints(_ pseudonyms: [Int64]) throws(PortError) -> [AccessPointPlace]
  func learntCell(_ pseudonym: Int64) throws(PortError) -> LearntCell?
  /// The position of a cell in the imported table; nil if it is not in the table, or there is no
  /// table.
  func tableCell(_ cell: CellIdentity) throws(PortError) -> CellPlace?
  /// Saves everything in one transaction.
  func save(_ accessPoints: [AccessPointPlace], cell: LearntCell?) throws(PortError)
  /// Finishes and releases its resources. It reopens by itself.
  func close()
}
