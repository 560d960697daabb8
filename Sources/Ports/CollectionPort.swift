import Delivery

/// Where the records of many boards are gathered, on a disk.
public protocol CollectionPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// Takes what was not taken before; all of it or nothing, durable when it returns.
  ///
  /// - Parameter device: who sends, as its topic names it: "ann/bike".
  /// - Returns: what is here of the stream now.
  func take(_ batch: CollectedBatch, of device: String) throws(PortError) -> CollectorReceipt
  /// What is here of every stream, by its device.
  func receipts() throws(PortError) -> [(device: String, receipt: CollectorReceipt)]
}
