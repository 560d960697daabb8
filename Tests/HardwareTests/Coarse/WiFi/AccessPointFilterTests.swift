import Testing

@testable import Hardware

struct AccessPointFilterTests {
  private static let bssid = "00:1f:33:ab:01:02"

  private func isUsable(_ name: String, _ bssid: String = AccessPointFilterTests.bssid) -> Bool {
    AccessPointFilter.isUsable(ssid: Array(name.utf8), bssid: bssid)
  }

  @Test("an ordinary access point is usable")
  func ordinary() {
    #expect(isUsable("Home"))
    #expect(isUsable("Home", "00:1F:33:AB:01:02"))
    #expect(AccessPointFilter.isUsable(ssid: [0xff, 0x00, 0xfe], bssid: Self.bssid))
  }

  @Test("access points with an opt-out suffix in the name are left out")
  func optedOut() {
    #expect(!isUsable("Home_nomap"))
    #expect(!isUsable("_nomap"))
    #expect(!isUsable("Home_optout"))
    #expect(!isUsable("Home_optout_nomap"))
    #expect(isUsable("_nomap_Home"))
    #expect(isUsable("nomap"))
  }

  @Test("hidden names are left out", arguments: [0, 1, 32])
  func hidden(length: Int) {
    #expect(
      !AccessPointFilter.isUsable(
        ssid: [UInt8](repeating: 0, count: length), bssid: Self.bssid))
  }

  @Test(
    "addresses that no maker assigns to an access point are left out",
    arguments: [
      "02:1f:33:ab:01:02", "da:1f:33:ab:01:02", "01:00:5e:00:00:01", "ff:ff:ff:ff:ff:ff",
      "00:00:00:00:00:00",
    ])
  func notAssigned(bssid: String) {
    #expect(!isUsable("Home", bssid))
  }

  @Test(
    "an invalid address is left out",
    arguments: [
      "", "00:1f:33:ab:01", "00:1f:33:ab:01:02:03", "00-1f-33-ab-01-02", "0g:1f:33:ab:01:02",
      "00:1f:33:ab:01:0é", "001f33ab0102", "00:1f:33:ab:010:2",
    ])
  func notAnAddress(bssid: String) {
    #expect(!isUsable("Home", bssid))
  }

  @Test("an address is written in lower case with all its digits")
  func addressText() {
    #expect(HardwareAddress("00:1F:33:aB:01:02")?.text == "00:1f:33:ab:01:02")
    #expect(HardwareAddress([0, 0x1f, 0x33, 0xab, 1, 2])?.text == "00:1f:33:ab:01:02")
    #expect(HardwareAddress([UInt8](repeating: 1, count: 20)) == nil)
  }
}
