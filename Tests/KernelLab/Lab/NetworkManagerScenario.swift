import Hardware
import Foundation
import Ports
import ReceiverStandIns
import Records

/// NetworkManager with polkit on simulated radios: the joined network is reported, its list is
/// used, and a scan is requested by a user whom polkit refuses, and then by an allowed one. Before
/// it starts there is no bus, and the kernel's own scans are used.
struct NetworkManagerScenario: Scenario {
  let name = "network-manager"
  let travelsInTime = false
  let limit = 400
  private static let home = "00:1f:33:00:00:01"
  /// The user ID of "nobody" in Debian.
  private static let nobody: uid_t = 65_534

  func live() throws -> [Figure] {
    let air = try Air()
    try air.startAccessPoint("wlan1", Self.home, name: "lab", channel: 1)
    let source = NetworkManagerSource(WiFiSettings())
    let wifi = AutomaticWiFi(source) { WiFiKernelSource(interface: "wlan0") }
    let network = try NetworkSource(NetworkSettings()).required("no source of the network")
    let ear = Ear([network, wifi])
    ear.user = Self.nobody
    try tool("ip", "link", "set", "wlan0", "up")
    try ear.listen(for: 2)
    try tool("iw", "dev", "wlan0", "scan")
    let kernels = try ear.hears("the kernel's scan", within: 10, isHome)
    let before = ear.wakes
    try ear.listen(for: 10)
    let idle = ear.wakes - before

    let services = try BusServices()
    try ear.listen(for: 10)
    try require(source.isAbsent == false, "NetworkManager is not seen: \(ear.failures)")
    try services.join("lab", on: "wlan0")
    let join = try ear.hears("the network", within: 30) { $0 == .network(Self.home) }
    try ear.listen(for: 20)
    let denied = try asked(wifi, ear)
    let refusals = ear.failures.count { $0.contains("refuses scans to this user") }
    _ = try asked(wifi, ear)
    try require(source.scans == 0, "scans were granted: \(source.scans)")
    let repeated = ear.failures.count { $0.contains("refuses scans to this user") }

    try services.allow("nobody")
    let second = NetworkManagerSource(WiFiSettings())
    let other = Ear([second])
    other.user = Self.nobody
    try other.listen(for: 20)
    let granted = try asked(second, other)
    return [
      Figure("a scan of the kernel's without a bus was told after", kernels, "s", atMost: 5),
      Figure("wakes in ten seconds without a bus", Double(idle), atMost: 2),
      Figure("the join by NetworkManager after", join, "s", atMost: 15),
      Figure("its list, when polkit refused a scan, after", denied, "s", atMost: 5),
      Figure("refusals told of the first", Double(refusals), atMost: 1, atLeast: 1),
      Figure("refusals told of both", Double(repeated), atMost: 1),
      Figure("a scan that polkit let after", granted, "s", atMost: 20),
      Figure("scans granted", Double(second.scans), atMost: 1, atLeast: 1, isHeadline: true),
      Figure(
        "failures told", Double(ear.failures.count + other.failures.count), atMost: 2),
    ]
  }

  private func asked(_ source: any EvidencePort, _ ear: Ear) throws -> Double {
    ear.forget()
    try source.request()
    return try ear.hears("an answer to the question", within: 40, isHome)
  }

  private func isHome(_ evidence: Evidence) -> Bool {
    guard case .accessPoints(let scan) = evidence else { return false }
    return scan.signals.map(\.bssid) == [Self.home]
  }
}

/// The system bus and its services.
private final class BusServices {
  private static let rules = "/etc/polkit-1/rules.d"
  private var programs: [ChildProcess] = []

  init() throws {
    for folder in [
      "/var/lib/NetworkManager", "/etc/NetworkManager/system-connections", Self.rules,
    ] { try tool("mount", "-t", "tmpfs", "tmpfs", folder) }
    try FileManager.default.createDirectory(
      atPath: "/run/NetworkManager", withIntermediateDirectories: false)
    let settings = "/run/NetworkManager.conf"
    try """
    [main]
    plugins=keyfile
    [keyfile]
    unmanaged-devices=interface-name:wlan1;interface-name:wlan2;interface-name:wlan3

    """.write(toFile: settings, atomically: false, encoding: .utf8)
    programs.append(try SystemBus.start())
    try start("polkitd", "exec /usr/lib/polkit-1/polkitd --no-debug")
    try start("wpa_supplicant", "exec /usr/sbin/wpa_supplicant -u -s")
    sleep(1)
    // If sysfs is read-only, NetworkManager does not wait for udev.
    try start(
      "NetworkManager",
      "mount -o remount,bind,ro /sys && exec NetworkManager --no-daemon --config=\(settings)")
  }

  private func start(_ name: String, _ command: String) throws {
    programs.append(try SystemBus.service(name, command))
  }

  func join(_ network: String, on interface: String) throws {
    try tool(
      "nmcli", "connection", "add", "type", "wifi", "ifname", interface, "con-name", network,
      "ssid", network, "ipv4.method", "manual", "ipv4.addresses", "10.9.0.9/24",
      "ipv4.gateway", "10.9.0.1", "ipv6.method", "disabled", "autoconnect", "no")
    try tool("nmcli", "connection", "up", network)
  }

  /// Installs the shipped rules for another user.
  func allow(_ user: String) throws {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    try Kernel.read(package.path + "/board/polkit/50-godwit.rules").replacing(
      "\"godwit\"", with: "\"\(user)\""
    )
    .write(toFile: Self.rules + "/50-godwit.rules", atomically: false, encoding: .utf8)
    // polkit watches the folder.
    sleep(2)
  }
}
