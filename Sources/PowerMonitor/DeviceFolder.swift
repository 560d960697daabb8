#if canImport(Glibc)
  import Glibc
#endif

/// Folders and links of sysfs.
enum DeviceFolder {
  /// More devices than any board has: nobody can make the search endless.
  private static let mostEntries = 512

  /// The names in it, sorted as people count ("hwmon2" before "hwmon10"); none when it is missing.
  static func names(in path: String, beginning prefix: String = "") -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while names.count < mostEntries, let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(prefix), name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { ($0.count, $0) < ($1.count, $1) }
  }

  /// The parts of the path that a link points to; empty when it is no link.
  static func target(of path: String) -> [Substring] {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink(path, &buffer, buffer.count)
    guard count > 0 else { return [] }
    let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "/")
  }

  /// A short text such as a name or a label; nil when there is none.
  static func text(_ path: String) -> String? {
    guard let file = try? AttributeFile(path), let text = try? file.text() else { return nil }
    return text.isEmpty ? nil : text
  }

  /// A cell of the device tree: four bytes, big-endian.
  static func cell(_ path: String) -> UInt32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 5)
    guard read(descriptor, &bytes, bytes.count) == 4 else { return nil }
    return bytes[..<4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
