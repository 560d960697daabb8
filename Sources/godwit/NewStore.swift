import Ports
import Store

#if canImport(Glibc)
  import Glibc
#endif

/// The store of a run that can be repeated. It must be new: two runs in one file would look like
/// one person's life, and an old file must never be overwritten.
enum NewStore {
  static func open(
    _ path: String, durability: GeoPackageStore.Durability = .onceInAWhile
  ) throws -> GeoPackageStore {
    guard access(path, F_OK) != 0 else {
      throw CommandError.wrongUsage(
        "\(path) exists already; remove it or name another file with --store")
    }
    do {
      return try GeoPackageStore(path: path, durability: durability)
    } catch {
      throw CommandError.failed(error.message)
    }
  }
}
