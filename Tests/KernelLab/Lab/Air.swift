import Foundation
import ReceiverStandIns

/// The simulated radios and the programs that use them.
final class Air {
  private static let control = "/run/wpa"
  private var programs: [String: ChildProcess] = [:]

  init() throws {
    try tool("modprobe", "-d", Bench.kernel, "mac80211_hwsim", "radios=4")
  }

  func startAccessPoint(
    _ interface: String, _ address: String, name: String, channel: Int
  ) throws {
    try tool("ip", "link", "set", interface, "address", address)
    let file = "/run/\(interface).conf"
    try """
    interface=\(interface)
    driver=nl80211
    ssid=\(name)
    hw_mode=g
    channel=\(channel)
    auth_algs=1

    """.write(toFile: file, atomically: false, encoding: .utf8)
    programs[interface] = try ChildProcess("/usr/sbin/hostapd", [file])
      .required("hostapd does not start")
  }

  /// Stops without notifying its stations.
  func stopAccessPoint(_ interface: String) throws {
    programs[interface]?.signal(SIGKILL)
    programs[interface] = nil
    try tool("ip", "link", "set", interface, "down")
  }

  func startStation(_ interface: String) throws {
    let file = "/run/\(interface).conf"
    try """
    ctrl_interface=\(Self.control)
    network={
      ssid="lab"
      key_mgmt=NONE
    }

    """.write(toFile: file, atomically: false, encoding: .utf8)
    programs[interface] = try ChildProcess(
      "/usr/sbin/wpa_supplicant", ["-i", interface, "-c", file, "-D", "nl80211"]
    ).required("wpa_supplicant does not start")
  }

  /// Runs a command of wpa_cli.
  func command(_ words: String) throws {
    let said = try tool(
      "sh", "-c", "/usr/sbin/wpa_cli -s /run -p \(Self.control) -i wlan0 \(words)")
    try require(said.contains("OK"), "wpa_cli \(words): \(said)")
  }
}
