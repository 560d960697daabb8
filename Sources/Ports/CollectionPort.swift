import Delivery

/// The collection of the records of many boards, on a disk.
public protocol CollectionPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// Stores the parts that are new, atomically; durable when it returns.
  ///
  /// - Parameter device: the sender, as named in its topic: "ann/bike".
  /// - Returns: the received part of the stream.
  func store(_ batch: CollectedBatch, of device: String) throws(PortError) -> CollectorReceipt
  /// The received part of every stream, by device.
  func receipts() throws(PortError) -> [(device: String, receipt: CollectorReceipt)]
}
