import Hardware
import Foundation
import Records

/// Wi-Fi with the kernel's own stack and the usual programs on simulated radios: hostapd with two
/// access points of one network and a neighbour that opts out, and wpa_supplicant, which joins,
/// roams and leaves. No scan is made for the sources. They exist before the driver does.
struct RadioScenario: Scenario {
  let name = "radio"
  let travelsInTime = false
  let limit = 600
  private static let first = "00:1f:33:00:00:01"
  private static let second = "00:1f:33:00:00:02"

  private static let calm = 25.0

  func live() throws -> [Figure] {
    let network = try NetworkSource(NetworkSettings()).required("no source of the network")
    let wifi = WiFiKernelSource(interface: nil)
    let ear = Ear([network, wifi])
    let nothing = try ear.hears("that nothing is joined", within: 20) { $0 == .network(nil) }
    wifi.request()
    try ear.listen(for: 1)
    try require(
      ear.failures.count == 1 && ear.failures[0].contains("there is no Wi-Fi interface"),
      "without a driver: \(ear.failures)")
    let air = try Air()
    try air.startAccessPoint("wlan1", Self.first, name: "lab", channel: 1)
    try air.startAccessPoint("wlan3", "00:1f:33:00:00:03", name: "neighbour_nomap", channel: 11)
    try air.startStation("wlan0")
    let join = try ear.hears("the network", within: 30) { $0 == .network(Self.first) }
    try tool("ip", "addr", "add", "10.9.0.9/24", "dev", "wlan0")
    try tool("ip", "route", "add", "default", "via", "10.9.0.1", "dev", "wlan0")

    try air.startAccessPoint("wlan2", Self.second, name: "lab", channel: 6)
    // A result reported less than a minute ago is not repeated.
    ear.forget()
    try air.command("scan")
    let scanned = try ear.hears("both access points", within: 75) { evidence in
      guard case .accessPoints(let scan) = evidence else { return false }
      return Set(scan.signals.map(\.bssid)) == [Self.first, Self.second]
    }
    try air.command("scan")
    // Changes in quick succession are evaluated late.
    try ear.listen(for: Self.calm)
    try air.command("roam \(Self.second)")
    let roam = try ear.hears("the second access point", within: 20) {
      $0 == .network(Self.second)
    }
    let losses = ear.heard.count { $0 == .network(nil) }
    try ear.listen(for: Self.calm)
    ear.forget()
    try air.command("disconnect")
    let leave = try ear.hears("the loss", within: 30) { $0 == .network(nil) }
    try air.command("reconnect")
    let again = try ear.hears("a network again", within: 30) {
      $0 == .network(Self.first) || $0 == .network(Self.second)
    }
    let before = ear.wakes
    try ear.listen(for: 30)
    let idle = ear.wakes - before
    ear.forget()
    try air.stopAccessPoint("wlan1")
    try air.stopAccessPoint("wlan2")
    let gone = try ear.hears("the loss of access points that went away", within: 60) {
      $0 == .network(nil)
    }
    return [
      Figure("that nothing is joined was told after", nothing, "s", atMost: 15),
      Figure("the join after", join, "s", atMost: 15),
      Figure("a scan of another program after", scanned, "s", atMost: 70),
      Figure("the roam after", roam, "s", atMost: 5, isHeadline: true),
      Figure("losses told while it roamed", Double(losses), within: 0),
      Figure("the loss after", leave, "s", atMost: 15, atLeast: 10),
      Figure("the next join after", again, "s", atMost: 25),
      Figure("wakes in half a minute at rest", Double(idle), atMost: 4),
      Figure("the loss of access points that went away after", gone, "s", atMost: 30, atLeast: 10),
      Figure("failures told", Double(ear.failures.count), atMost: 1),
    ]
  }
}
