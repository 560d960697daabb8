import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The time zones of the system's database (tzdata), each read on first use.
final class SystemTimeZones: TimeZonePort {
  private static let folder = "/usr/share/zoneinfo/"
  private static let link = "/etc/localtime"
  /// Names come from calendars of other people, so the number is limited.
  private static let most = 50

  private var known: [String: TimeZoneRules] = [:]

  /// The board's zone: that of TZ, else that of the system; UTC if neither can be read.
  lazy var local: TimeZoneRules = {
    if let name = getenv("TZ").map({ String(cString: $0) }), !name.isEmpty {
      let name = name.first == ":" ? String(name.dropFirst()) : name
      if let zone = zone(named: name) { return zone }
      if let zone = try? TimeZoneRules(name: name, posix: name) { return zone }
    }
    return Self.read(Self.link, name: Self.localName ?? "local") ?? .utc
  }()

  func zone(named name: String) -> TimeZoneRules? {
    if let zone = known[name] { return zone }
    guard Self.isName(name), let zone = Self.read(Self.folder + name, name: name) else {
      return nil
    }
    if known.count < Self.most { known[name] = zone }
    return zone
  }

  /// Accepts `Europe/Berlin`, but nothing that leads out of the folder.
  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return (1...3) ~= parts.count
      && parts.allSatisfy { part in
        !part.isEmpty && part.first != "."
          && part.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
              UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
              UInt8(ascii: "+"):
              true
            default: false
            }
          }
      }
  }

  /// The target of the link, relative to the database's folder (localtime(5)).
  private static var localName: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    guard realpath(link, &path) != nil else { return nil }
    let target = String(
      decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return target.hasPrefix(folder) ? String(target.dropFirst(folder.count)) : nil
  }

  private static func read(_ path: String, name: String) -> TimeZoneRules? {
    guard
      let bytes = try? SystemFiles.bytes(of: path, atMost: TimeZoneRules.maximumFileSize)
    else { return nil }
    return try? TimeZoneRules(name: name, tzif: bytes)
  }
}
