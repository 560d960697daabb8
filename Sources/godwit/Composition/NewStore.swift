import GodwitSettings
import Platform
import Ports
import Store

#if canImport(Glibc)
  import Glibc
#endif

/// The store of a repeatable run. It must be new: two runs in one file would look like one person's
/// history, and an existing file must never be overwritten.
enum NewStore {
  /// Creates the store, lets `body` fill it and closes it. It gets its name only when it is
  /// complete: a partial store would look like a complete one, and block the next attempt.
  static func fill<Result>(
    _ path: String, beside stores: ProtectedFiles,
    durability: GeoPackageStore.Durability = .onceInAWhile,
    _ body: (GeoPackageStore) throws -> Result
  ) throws -> Result {
    try stores.refuse(path, namedBy: "--store")
    try checkIsFree(path)
    // SQLite creates its files with these permissions (SQLITE_DEFAULT_FILE_PERMISSIONS).
    return try fill(path, mode: 0o644, durability, body) { try $0.appear() }
  }

  /// Creates a temporary store, for a run of which only the figures are wanted. It may contain
  /// private places and letters, and its folder is readable by everybody, so only its owner may
  /// read it.
  static func fillForNow<Result>(_ body: (GeoPackageStore) throws -> Result) throws -> Result {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    return try fill("\(folder)/godwit.gpkg", mode: 0o600, .onceInAWhile, body) { _ in }
  }

  private static func fill<Result>(
    _ path: String, mode: mode_t, _ durability: GeoPackageStore.Durability,
    _ body: (GeoPackageStore) throws -> Result, keep: (TemporaryFile) throws -> Void
  ) throws -> Result {
    let file: TemporaryFile
    do {
      file = try TemporaryFile(for: path, mode: mode, companions: StoreFiles.sideSuffixes)
    } catch {
      throw CommandError.failed(FileFailure(writing: path, error).description)
    }
    // Before SQLite opens the file: closing any descriptor of it releases the program's locks
    // (fcntl(2)).
    close(file.takeDescriptor())
    do {
      let result = try fill(file.path, durability, body)
      try keep(file)
      return result
    } catch let error as PortError {
      throw CommandError.failed(error.message.replacing(file.path, with: path))
    } catch let CommandError.failed(message) {
      throw CommandError.failed(message.replacing(file.path, with: path))
    } catch let error as FileFailure {
      throw CommandError.failed(error.description)
    } catch let error as SystemError {
      throw CommandError.failed(FileFailure(writing: path, error).description)
    }
  }

  private static func fill<Result>(
    _ path: String, _ durability: GeoPackageStore.Durability,
    _ body: (GeoPackageStore) throws -> Result
  ) throws -> Result {
    let store = try GeoPackageStore(path: path, durability: durability)
    do {
      let result = try body(store)
      try store.close()
      return result
    } catch {
      try? store.close()
      throw error
    }
  }

  private static func checkIsFree(_ path: String) throws(CommandError) {
    guard !path.isEmpty, !path.hasSuffix("/") else {
      throw .wrongUsage("--store: '\(path)' names no file")
    }
    if let present = FileStatus(path: path, followsLinks: false) {
      throw .wrongUsage(objection(to: present, at: path))
    }
    // SQLite would apply such a log to the new store and damage it.
    if let name = StoreFiles(path).strays.first {
      throw .wrongUsage(
        "\(name) is left over from a deleted store; move it away or name another file with --store")
    }
  }

  /// Only a store may be suggested for removal.
  private static func objection(to present: FileStatus, at path: String) -> String {
    guard present.kind != .directory else { return "\(path) is a folder; name a file with --store" }
    do throws(PortError) { try ForeignDatabase.refuse(path) } catch { return error.message }
    let advice = DatabaseFile.isOne(path) ? "remove it or name" : "name"
    return "\(path) exists already; \(advice) another file with --store"
  }
}

/// The files that no output of a command may overwrite: stores, and other files of the board. This
/// includes SQLite's files beside them, under any name or link, whether they exist yet or not.
struct ProtectedFiles {
  private let stores: [StoreFiles]
  private let others: [(what: String, files: StoreFiles)]

  init(_ paths: [String], _ others: [(what: String, path: String)] = []) {
    stores = paths.map { StoreFiles($0) }
    self.others = others.map { ($0.what, StoreFiles($0.path)) }
  }

  /// - Parameter option: the option that named the output.
  func refuse(_ output: String, namedBy option: String) throws(CommandError) {
    for store in stores where store.contains(output) {
      throw .wrongUsage(
        "\(option) \(output): that is the store \(store.main) or one of its auxiliary files; "
          + "name another file")
    }
    for (what, files) in others where files.contains(output) {
      throw .wrongUsage("\(option) \(output): that is \(what); name another file")
    }
  }
}

extension StoreOptions {
  /// The store that is read, and the board's files.
  func protected() throws -> ProtectedFiles { configuration.protected(with: [try path()]) }

  /// Creates the store that --store names if it does not exist, and reports that, so that places
  /// and letters can be prepared before the first run. The store of the settings is created by the
  /// daemon.
  ///
  /// - Parameter body: fills it; if it fails, no new store is left.
  func creatingIfNamed(_ body: () throws -> Void) throws {
    guard let store, FileStatus(path: store, followsLinks: false) == nil,
      (try? configuration.load().settings.store.path) != store
    else { return try body() }
    try NewStore.fill(store, beside: configuration.protected()) { _ in }
    let made = FileStatus(path: store)
    do { try body() } catch {
      // Another program may have opened it meanwhile, and added something.
      if let made, StoreFiles(store).areUntouched(since: made) {
        for name in StoreFiles(store).all { unlink(name) }
      }
      throw error
    }
    var messages = StandardError()
    print("godwit: created the new store \(store)", to: &messages)
  }
}

extension ConfigOptions {
  /// The given stores, and the files of the settings' board, which a daemon may be using. If the
  /// settings cannot be read, only their own file is added.
  func protected(with stores: [String] = []) -> ProtectedFiles {
    var others = [("the settings file", file)]
    guard let settings = try? load().settings else { return ProtectedFiles(stores, others) }
    let maps = RadioMapPaths(store: settings.store.path)
    others += [
      ("the outbox of the uplink", settings.uplink.path),
      ("the learnt radio map", maps.learnt), ("the table of cells", maps.cells),
    ]
    return ProtectedFiles(stores + [settings.store.path], others)
  }
}
