/// What SQLite takes of memory.
public enum StoreMemory {
  /// All stores of this process together, in one that may have little.
  public static func limit(toBytes bytes: Int64) {
    ConnectionLimits.limitMemory(toBytes: bytes)
  }
}
