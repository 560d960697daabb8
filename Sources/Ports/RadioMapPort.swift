import RadioSignals
import Core
import Records

/// What this device has learnt about the access points and cells around it, and the table of cells
/// that was imported. Looked up at each scan and saved at some of the good fixes; without it the
/// tracker goes on as if nothing were known.
public protocol RadioMapPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// The pseudonyms of this device; a new map makes up a new salt.
  func pseudonyms() throws(PortError) -> Pseudonyms
  /// What is known of these access points, in no order; unknown ones are missing.
  func accessPoints(_ pseudonyms: [Int64]) throws(PortError) -> [AccessPointPlace]
  func learntCell(_ pseudonym: Int64) throws(PortError) -> LearntCell?
  /// The place of a cell in the imported table; nil where it is missing, or nothing was imported.
  func tableCell(_ cell: CellIdentity) throws(PortError) -> CellPlace?
  /// All of it or nothing, in one transaction.
  func save(_ accessPoints: [AccessPointPlace], cell: LearntCell?) throws(PortError)
  /// Finishes and gives back what it holds. It opens again by itself.
  func close()
}
