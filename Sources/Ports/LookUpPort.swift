import Records

/// Requests the board's position for the received networks from an external service. The reply
/// arrives as evidence from the source that the same adapter implements.
public protocol LookUpPort: AnyObject {
  /// Sends a request, unless it is not allowed yet, or too little is received. Returns at once.
  /// - Parameters:
  ///   - scan: the access points around, as plain addresses; empty if only a cell is known.
  ///   - cell: the serving cell; nil: unknown.
  func request(_ scan: AccessPointScan, cell: CellIdentity?)
}
