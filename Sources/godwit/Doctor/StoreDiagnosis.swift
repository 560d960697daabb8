import Glibc
import GodwitSettings
import Platform
import Ports
import Store

/// Checks that records can be stored.
enum StoreDiagnosis {
  private static let part = "store"

  static func finding(_ settings: StoreSettings, path: String) -> Finding {
    let folder = PathParts(path).folder
    guard access(folder, F_OK) == 0 else { return missing(folder) }
    guard access(folder, W_OK | X_OK) == 0 else {
      return .fail(
        part,
        "this user cannot write to \(folder); run the check as the daemon's user (sudo -u godwit "
          + "godwit doctor), make that user the owner of the folder, or set store.path")
    }
    guard let free = FileSystem.freeBytes(at: folder) else {
      return .fail(part, "the free space of \(folder) cannot be read: \(SystemError.last.text)")
    }
    let room = "\(free / 1_000_000) MB free"
    if settings.retention.isShort(free: free) {
      let least = (settings.retention.minimumFree ?? 0) / 1_000_000
      return .fail(
        part,
        "\(folder) has \(room), less than store.min_free_MB = \(least)"
          + deletion(settings.retention, path: path, free: free)
          + "; free some space or set store.path")
    }
    guard access(path, F_OK) == 0 else {
      return .ok(part, "\(path) will be created; \(room)")
    }
    return sound(path, room: room)
  }

  /// systemd creates the service's own folder (StateDirectory=).
  static func missing(_ folder: String) -> Finding {
    guard folder != PathParts(StoreSettings().path).folder else {
      return .warn(
        part, "\(folder) does not exist; systemd creates it when it first starts the daemon")
    }
    return .fail(part, "the folder \(folder) does not exist; create it or set store.path")
  }

  /// What happens to the oldest records; empty if they are safe, because the store is small or does
  /// not exist yet.
  private static func deletion(_ limits: RetentionLimits, path: String, free: Int) -> String {
    guard let size = FileStatus(path: path)?.kernel.st_size,
      limits.makesRoom(free: free, size: Int(size))
    else { return "" }
    return StoreLock.isKnownToBeHeld(path)
      ? ": the oldest records are being deleted" : ": the daemon will delete the oldest records"
  }

  private static func sound(_ path: String, room: String) -> Finding {
    guard access(path, R_OK | W_OK) == 0 else {
      return .fail(
        part,
        "this user cannot write \(path); run the check as the daemon's user (sudo -u godwit "
          + "godwit doctor) or make that user the owner of the file")
    }
    do throws(PortError) {
      // Files of another program or version are detected first.
      _ = try StoreReader(path: path)
      return verdict(try StoreCheck(path: path), path, room: room)
    } catch {
      return .fail(part, error.message)
    }
  }

  /// The result of `godwit store check`.
  private static func verdict(_ check: StoreCheck, _ path: String, room: String) -> Finding {
    guard let first = check.obstacle ?? check.problems.first else {
      return .ok(part, "\(path) passed its check; \(room)")
    }
    let number = check.problemCount
    let what = "(\(first.text)\(number > 1 ? ", and \(number - 1) more" : ""))"
    guard check.needsRepair else {
      return .warn(
        part,
        "rows of \(path) contradict each other \(what); no action is needed: `godwit store check "
          + "--store \(path)` lists them")
    }
    return .fail(
      part,
      "\(path) is damaged \(what); stop the daemon and run `godwit store repair "
        + "--store \(path)`; `godwit store check --store \(path)` lists everything")
  }
}
