import Glibc

/// Finds who holds a device open, the way fuser(1) does: by the links in /proc/PID/fd. Processes of
/// other users are seen by root only.
public enum DeviceHolder {
  /// Such as "gpsd (process 812)"; nil when nobody can be seen.
  public static func find(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let device = String(cString: resolved)
    let own = getpid()
    var anonymous: String?
    for name in entries("/proc") {
      guard let process = Int32(name), holds(process, device) else { continue }
      if process == own {
        anonymous = "this program itself"
        continue
      }
      return "\(command(process)) (process \(process))"
    }
    return anonymous
  }

  private static func holds(_ process: Int32, _ device: String) -> Bool {
    let folder = "/proc/\(process)/fd"
    return entries(folder).contains { target("\(folder)/\($0)") == device }
  }

  private static func target(_ link: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    let length = buffer.withUnsafeMutableBytes {
      readlink(link, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
    }
    return length > 0 ? String(decoding: buffer.prefix(length), as: UTF8.self) : nil
  }

  private static func command(_ process: Int32) -> String {
    guard let file = fopen("/proc/\(process)/comm", "re") else { return "a program" }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 64)
    let length = fread(&buffer, 1, buffer.count, file)
    let name = String(decoding: buffer.prefix(length), as: UTF8.self)
    return String(name.prefix { $0 != "\n" })
  }

  private static func entries(_ folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names
  }
}
