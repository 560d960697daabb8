import Testing

@testable import Config

@Suite struct BootReportTests {
  private static let text = """
    boards = ["host", "hatt"]
    policy.name = hybrid
    [image]
    timezone = "Europe/Berln"
    [[image.wifi_networks]]
    ssid = "Home"
    password = "correct horse"
    """

  @Test("the report is exactly this, with line endings for every editor")
  func theReport() {
    let report = BootBench().provisioning(Self.text).report
    #expect(!report.replacing("\r\n", with: "").contains { $0.isNewline })
    #expect(
      report.replacing("\r\n", with: "\n") == """
        Godwit 1.2.3: result of this board's settings
        Written: 2026-01-01T00:00:00Z by the board's clock, when anything here last changed

        Settings: /boot/firmware/godwit.toml on the board

        TO CORRECT: 3 remarks

          * line 1: no board hatt
          * line 2: cannot be read and is not used: column 15 must be a value: text in
              quotes, a number, true, false, a date, an array or a table
          * line 4: image.timezone = "Europe/Berln" is not a time zone; did you mean
              Europe/Berlin?

        SET UP

          boards          host
          host name       godwit
          time zone       Etc/UTC
          Wi-Fi           "Home", WPA2 or WPA3, with a password
          Wi-Fi country   not set
          ssh             nobody can log in: image.ssh_keys has no key
          gpsd            off
          service         may use the network (network.kind = "netlink")

        SETTINGS OF THE TRACKER

          Every setting has the value of the boards, or its default.

        """)
  }

  @Test("reports that differ only in their time count as the same")
  func sameReport() {
    let made = BootBench().provisioning(Self.text)
    func report(_ failures: [String] = []) -> BootReport {
      BootReport(made, BootBench.places, version: "1.2.3", failures: failures)
    }
    #expect(report().isSame(as: Array(report().text(at: "yesterday").utf8)))
    #expect(!report().isSame(as: Array(report(["x"]).text(at: "today").utf8)))
    #expect(!report().isSame(as: []))
    #expect(!report().isSame(as: [0xff, 0x0d, 0x0a]))
  }

  @Test("a report of very many errors stays readable")
  func countlessErrors() {
    let text = (1...3000).map { "a\($0) = 1\n" }.joined()
    let report = BootBench().provisioning(text).report
    #expect(report.contains("\r\n  and 2900 more.\r\n"))
    let long = BootBench().provisioning(String(repeating: "a", count: 60_000) + " = 1")
    #expect(long.report.utf8.count < 3000)
  }
}
