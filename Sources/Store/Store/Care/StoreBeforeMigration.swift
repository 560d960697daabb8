import Ports

/// The copy of a store that is made before a newer program changes its schema: an older program can
/// read the copy, but no longer the store.
struct StoreBeforeMigration {
  /// The result, as text for people.
  let notice: String

  /// Without a copy (a full disk, a damaged store) the store is migrated nevertheless: that is one
  /// transaction, which a power cut undoes, and an unattended board has to go on tracking.
  ///
  /// - Parameter step: the first pending step of the migration.
  init(of path: String, before step: String) {
    let kept = StoreFiles(path).freeStore("before-\(step)").main
    let done = "the store \(path) was brought up to date (\(step))"
    do {
      let copy = try StoreBackup().save(path, to: kept, replacing: false)
      notice =
        "\(done); its previous form is kept as \(kept), \(copy.bytes) bytes, which an older "
        + "godwit can read; delete it when it is not needed"
    } catch {
      notice = "\(done) without a copy of its previous form: \(error.message)"
    }
  }
}
