/// SQLite's use of memory.
public enum StoreMemory {
  /// Limits all stores of this process together, for a process with a small limit.
  public static func limit(toBytes bytes: Int64) {
    ConnectionLimits.limitMemory(toBytes: bytes)
  }
}
