/// The files beside a store with the positions of access points and cells.
struct RadioMapPaths {
  /// The map that this device has learnt.
  let learnt: String
  /// The imported table.
  let cells: String

  init(store: String) {
    let suffix = ".gpkg"
    let stem = store.hasSuffix(suffix) ? String(store.dropLast(suffix.count)) : store
    learnt = stem + ".radiomap"
    cells = stem + ".cells"
  }
}
