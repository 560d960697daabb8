/// The files beside a store that hold places of access points and cells.
struct RadioMapPaths {
  /// What this device has learnt.
  let learnt: String
  /// What was imported.
  let cells: String

  init(store: String) {
    let suffix = ".gpkg"
    let stem = store.hasSuffix(suffix) ? String(store.dropLast(suffix.count)) : store
    learnt = stem + ".radiomap"
    cells = stem + ".cells"
  }
}
