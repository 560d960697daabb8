import Platform
import Ports
import RadioSignals
import Core

/// The contents of the learnt map, for `godwit doctor`: read without a change, also while the
/// daemon writes.
public struct LearntMapContents: Sendable {
  public let accessPoints: Int
  /// Of these, the ones used for positions: neither doubted nor mobile.
  public let trusted: Int
  public let cells: Int
  /// Nil if nothing was learnt yet.
  public let lastReception: UTCInstant?

  /// - Returns: nil if there is no map yet.
  public init?(path: String) throws(PortError) {
    let kind = DatabaseKind(path: path)
    if let objection = kind.objection(to: .learntMap) {
      throw PortError(
        "\(path) is not a radio map and was not changed: \(objection); move it away, or set "
          + "coarse.radio_map_path to another path")
    }
    guard kind == .learntMap else { return nil }
    // Without a log there is no writer to consider, and no side file has to be made.
    let hasLog = (FileStatus(path: path + "-wal")?.kernel.st_size ?? 0) > 0
    do throws(Database.Failure) {
      let database = try Database(
        path: path, access: hasLog ? .readOnly : .immutable, cacheKilobytes: 64)
      guard try database.integer("PRAGMA user_version") ?? 0 > 0 else { return nil }
      accessPoints = Int(try database.integer("SELECT count(*) FROM access_points") ?? 0)
      trusted = Int(
        try database.integer(
          "SELECT count(*) FROM access_points WHERE is_mobile = 0 AND doubt < "
            + "\(AccessPointPlace.doubtLimit)") ?? 0)
      cells = Int(try database.integer("SELECT count(*) FROM cells") ?? 0)
      let last = try database.integer("SELECT max(last_heard_s) FROM access_points")
      lastReception = last.map { UTCInstant(seconds: Double($0)) }
    } catch {
      let advice =
        error.kind == .damaged
        ? "the daemon will rename it and learn again" : "run the check as the daemon's user"
      throw PortError("cannot read the radio map \(path): \(error.text); \(advice)")
    }
  }
}
