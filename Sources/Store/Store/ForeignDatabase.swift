import Ports

/// A database of another program, where a store is to be.
public enum ForeignDatabase {
  /// - Throws: `failed` where a sound one is there, which somebody has named by mistake. What is
  ///   damaged may have been a store, and is none.
  public static func refuse(_ path: String) throws(PortError) {
    guard let present = try? StoreReader.connection(path) else { return }
    defer { present.close() }
    guard (try? Migration.isForeign(present)) == true, (try? present.isSound()) == true else {
      return
    }
    throw Migration.foreign(path)
  }
}
