import Platform
import Ports
import RadioSignals
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// The radio map on the disk: learnt data in one file, the imported cells in another.
///
/// Both are opened on first use and again after a failure. A damaged map is renamed and a new one
/// begun: the call that found it throws an error, the next one works. A table of cells that is
/// replaced meanwhile is noticed at the next look-up.
public final class RadioMapFiles: RadioMapPort {
  /// As many as a commuter passes in years: 5 MB. Those received longest ago are deleted first.
  public static let mostAccessPoints = 50_000

  public let name: String
  private let tablePath: String
  private let mostAccessPoints: Int
  private var map: LearntMap?
  private var table: CellTable?

  /// - Parameters:
  ///   - path: of the learnt map; created on first use.
  ///   - table: of the imported cells; it need not exist.
  public init(
    path: String, table: String, mostAccessPoints: Int = RadioMapFiles.mostAccessPoints
  ) {
    name = path
    tablePath = table
    self.mostAccessPoints = mostAccessPoints
  }

  public func pseudonyms() throws(PortError) -> Pseudonyms {
    try learnt("read") { (map) throws(Database.Failure) in Pseudonyms(salt: map.salt) }
  }

  public func accessPoints(_ pseudonyms: [Int64]) throws(PortError) -> [AccessPointPlace] {
    try learnt("read") { (map) throws(Database.Failure) in try map.accessPoints(pseudonyms) }
  }

  public func learntCell(_ pseudonym: Int64) throws(PortError) -> LearntCell? {
    try learnt("read") { (map) throws(Database.Failure) in try map.cell(pseudonym) }
  }

  public func save(
    _ accessPoints: [AccessPointPlace], cell: LearntCell?
  ) throws(PortError) {
    try learnt("write to") { (map) throws(Database.Failure) in
      try map.save(accessPoints, cell: cell)
    }
  }

  public func tableCell(_ cell: CellIdentity) throws(PortError) -> CellPlace? {
    do throws(Database.Failure) {
      if let table, !table.isCurrent { self.table = nil }
      if table == nil { table = try CellTable(path: tablePath) }
      return try table?.place(of: cell)
    } catch {
      table = nil
      let advice =
        switch error.kind {
        case .damaged: "; it is damaged: import it again with `godwit cells import`"
        case .foreign: "; it was not changed: set cell.table_path to the path of a cell table"
        case .locked: "; end the program that has locked it (fuser -v names it)"
        case .full, .other: ""
        }
      throw PortError("cannot read the cells in \(tablePath): \(error.text)\(advice)")
    }
  }

  public func close() {
    map = nil
    table = nil
  }

  /// Opens the map if necessary, and translates a failure.
  private func learnt<Result>(
    _ action: String, _ body: (LearntMap) throws(Database.Failure) -> Result
  ) throws(PortError) -> Result {
    do throws(Database.Failure) {
      return try body(try opened())
    } catch {
      // Opened anew next time, whatever the failure.
      map = nil
      let attempt = "cannot \(action) the radio map \(name): \(error.text)"
      switch error.kind {
      case .damaged: throw PortError("\(attempt); \(renameDamaged())")
      case .foreign:
        throw PortError(
          "\(attempt); it was not changed: move it away, or set coarse.radio_map_path to another "
            + "path")
      case .full:
        throw PortError("\(attempt); the disk is full: free space there; nothing is learnt")
      case .locked:
        throw PortError("\(attempt); end the program that has locked it (fuser -v names it)")
      case .other:
        throw PortError(
          "\(attempt); check that its folder exists and is writable for this user")
      }
    }
  }

  private func opened() throws(Database.Failure) -> LearntMap {
    if let map { return map }
    let opened = try LearntMap(path: name, mostAccessPoints: mostAccessPoints)
    map = opened
    return opened
  }

  /// Renames the damaged file, replacing an earlier one. A file that is not certainly a radio map
  /// stays where it is.
  private func renameDamaged() -> String {
    let other = "\(name).damaged"
    guard DatabaseKind(path: name) == .learntMap else {
      return "it was not changed: move it away, or set coarse.radio_map_path to another path"
    }
    if let objection = DatabaseKind(path: other).objection(to: .learntMap) {
      return "it is damaged, and \(other) is in the way (\(objection)): move both away"
    }
    guard rename(name, other) == 0 else {
      return "it is damaged and could not be moved away (\(SystemError.last.text)): remove it"
    }
    // The content of its log belongs to this file alone.
    unlink(name + "-wal")
    unlink(name + "-shm")
    return "it is damaged and was renamed to \(other); a new one is started, and the positions of "
      + "access points and cells are learnt again"
  }
}
