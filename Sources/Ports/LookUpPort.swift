import Records

/// Asks somebody else where the board is by what it hears. The answer comes as evidence, from the
/// source that the same adapter is.
public protocol LookUpPort: AnyObject {
  /// Asks, unless it may not yet, or too little is heard. Returns at once.
  /// - Parameters:
  ///   - scan: the access points around, in clear; without any when a cell is all that is known.
  ///   - cell: the one that serves the board; nil: none is known.
  func request(_ scan: AccessPointScan, cell: CellIdentity?)
}
