import GodwitSettings
import Store

/// The stores that no output of a command may touch: neither the file nor SQLite's files beside it,
/// by whatever name or link, whether they exist yet or not.
struct ProtectedStores {
  private let stores: [StoreFiles]

  init(_ paths: [String]) { stores = paths.map { StoreFiles($0) } }

  /// - Parameter option: the option that named the output.
  func refuse(_ output: String, namedBy option: String) throws(CommandError) {
    for store in stores where store.contains(output) {
      throw .wrongUsage(
        "\(option) \(output): that is the store \(store.main) or one of its files beside it; "
          + "name another file")
    }
  }
}

extension StoreOptions {
  /// The store that is read, and the one of the settings, which a daemon may be writing to.
  /// Unreadable settings add none.
  func protected() throws -> ProtectedStores {
    let configured = try? configuration.load().settings.store.path
    return ProtectedStores([try path()] + (configured.map { [$0] } ?? []))
  }
}
