import Ports

/// A database of another program, at the path of a store.
public enum ForeignDatabase {
  /// - Throws: `failed` for an undamaged one, which was named by mistake. A damaged one may have
  ///   been a store.
  public static func refuse(_ path: String) throws(PortError) {
    guard let present = try? StoreReader.connection(path) else { return }
    defer { present.close() }
    guard (try? Migration.isForeign(present)) == true, (try? present.isSound()) == true else {
      return
    }
    throw Migration.foreign(path)
  }
}
