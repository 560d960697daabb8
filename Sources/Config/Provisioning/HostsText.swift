/// The text of hosts(5) with this machine's name. As in Debian, a machine without a permanent
/// address has its name at 127.0.1.1 (Debian Reference, 5.1.1).
enum HostsText {
  private static let address = "127.0.1.1"
  private static let usual = """
    127.0.0.1\tlocalhost
    ::1\tlocalhost ip6-localhost ip6-loopback
    ff02::1\tip6-allnodes
    ff02::2\tip6-allrouters

    """

  /// - Parameter text: the current file; nil if there is none.
  static func naming(_ host: String, in text: String?) -> String {
    let own = "\(address)\t\(host)"
    var lines = (text ?? usual).split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    if lines.last == "" { lines.removeLast() }
    let place = lines.firstIndex { isOf(address, $0) }
    lines.removeAll { isOf(address, $0) }
    let loopback = lines.firstIndex { isOf("127.0.0.1", $0) }.map { $0 + 1 }
    lines.insert(own, at: place ?? loopback ?? lines.count)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func isOf(_ address: String, _ line: String) -> Bool {
    line.split { $0 == " " || $0 == "\t" }.first.map { $0 == address } ?? false
  }
}
