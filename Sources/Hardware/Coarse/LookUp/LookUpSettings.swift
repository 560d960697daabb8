import Core

/// A server on the Internet that gives positions for access points and cells.
public struct LookUpSettings: Hashable, SettingGroup {
  /// Nil: no requests.
  public var url: String?
  var interval: Seconds = 300

  public init() {}

  /// The server, without the rest of the URL, which may contain a key; nil: none is set.
  var host: String? {
    url.map { url in
      let parts = url.split(separator: "/", omittingEmptySubsequences: true)
      guard parts.count > 1, let host = parts[1].split(separator: "@").last else {
        return "the server"
      }
      return String(host)
    }
  }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "lookup",
      "Server that locates the board by access points and cells, with the interface of Ichnaea "
        + "(Mozilla Location Service, BeaconDB). Off unless a URL is set. The server receives the "
        + "hardware addresses and strengths of the access points in range and the serving cell, in "
        + "clear, and thereby the position of the board, but no name of the device. It is queried "
        + "only for surroundings that this device cannot locate itself.")
    setting(
      "url", &url, .optional(.text(bytes: 0...1024), noneAt: ""),
      "Address, such as \"https://api.beacondb.net/v1/geolocate\". Empty: no queries.",
      isSecret: true)
    setting("interval_s", &interval, .quantity(60...86_400), "Minimum interval of queries.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard let url else { return [] }
    let isWeb = ["http://", "https://"].contains { url.hasPrefix($0) && url.count > $0.count }
    let isPrintable = url.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard !isWeb || !isPrintable else { return [] }
    return [
      SettingConflict(
        "url",
        "must be a URL of http or https without blanks, such as "
          + "\"https://api.beacondb.net/v1/geolocate\"")
    ]
  }
}
