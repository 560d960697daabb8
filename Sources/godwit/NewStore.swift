import Ports
import Store

#if canImport(Glibc)
  import Glibc
#endif

/// The store of a run that can be repeated. It must be new: two runs in one file would look like
/// one person's life, and an old file must never be overwritten.
enum NewStore {
  /// Makes the store, lets `body` fill it and closes it. A run that fails leaves no file behind:
  /// half a life would look like a whole one, and stand in the way of the next attempt.
  static func fill<Result>(
    _ path: String, beside stores: ProtectedStores,
    durability: GeoPackageStore.Durability = .onceInAWhile,
    _ body: (GeoPackageStore) throws -> Result
  ) throws -> Result {
    try stores.refuse(path, namedBy: "--store")
    let store = try open(path, durability: durability)
    do {
      let result = try body(store)
      try store.close()
      return result
    } catch {
      try? store.close()
      for name in StoreFiles(path).all { unlink(name) }
      throw (error as? StoreError).map { CommandError.failed($0.message) } ?? error
    }
  }

  private static func open(
    _ path: String, durability: GeoPackageStore.Durability
  ) throws -> GeoPackageStore {
    // SQLite takes what lies under the names of its files beside the store for them, and deletes
    // it.
    for name in StoreFiles(path).all where access(name, F_OK) == 0 {
      throw CommandError.wrongUsage(
        "\(name) exists already; remove it or name another file with --store")
    }
    do {
      return try GeoPackageStore(path: path, durability: durability)
    } catch {
      throw CommandError.failed(error.message)
    }
  }
}
