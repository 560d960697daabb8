import Glibc

/// The running kernel and this boot of it.
public enum RunningSystem {
  /// The kernel's release: "6.12.41+deb13-amd64".
  public static var kernelRelease: String { name(\.release) }

  /// The machine's host name.
  public static var hostName: String { name(\.nodename) }

  /// The machine's architecture: "aarch64".
  public static var machine: String { name(\.machine) }

  /// Empty if the kernel does not report it (uname(2)).
  private static func name<Field>(_ field: KeyPath<utsname, Field>) -> String {
    var system = utsname()
    guard uname(&system) == 0 else { return "" }
    return withUnsafeBytes(of: system[keyPath: field]) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// Different after every boot; nil if the kernel has none (random/boot_id, proc(5)).
  public static var bootID: String? { SystemFiles.firstLine(of: "/proc/sys/kernel/random/boot_id") }
}
