import GodwitSettings
import Core
import Testing

@testable import Config

/// The boot file that users start from.
@Suite struct BootFileTests {
  @Test("the initial file is valid as a whole, and so is everything that it proposes")
  func theTemplate() throws {
    let text = BootTemplate.text(boards: ["host"], user: "godwit-admin")
    #expect(text.hasSuffix("\r\n") && !text.replacing("\r\n", with: "").contains("\n"))
    let made = BootBench().provisioning(text)
    #expect(made.remarks == [])
    #expect(made.settings.isEmpty)
    let proposed = text.replacing("#", with: "").replacing("AAAA... me@laptop", with: "x")
      .replacing("ssh-ed25519 x", with: BootBench.key)
    // The sentences are not settings; everything else is.
    let all = BootBench().provisioning(proposed)
    let values = [
      "kestrel", "options cfg80211 ieee80211_regdom=DE\n", BootBench.key, "at\\sleast\\seight",
    ]
    let files = all.files.map { file in
      if case .file(let bytes, _) = file.content {
        String(decoding: bytes, as: UTF8.self)
      } else {
        ""
      }
    }.joined()
    for value in values { #expect(files.contains(value)) }
    #expect(all.settings.map(\.key) == ["device.name", "policy.name"])
  }

  @Test("the printed file with every setting is valid as a whole")
  func everySetting() throws {
    let text = SettingsText.render(BootFile<Settings>())
    let made = BootBench().provisioning(text)
    #expect(made.remarks == [])
    #expect(text.contains("\n# [[image.wifi_networks]]\n"))
    // Every setting that the daemon accepts is passed on.
    #expect(made.settings.count == DeclaredSettings(in: Settings()).settings.count)
  }

  @Test(
    "invalid settings of the image lose only themselves",
    arguments: [
      ("hostname = \"a b\"", "line 2: image.hostname is not a host name"),
      ("hostname = \"-a\"", "line 2: image.hostname is not a host name"),
      (
        "hostnam = \"a\"", "line 2: there is no setting image.hostnam; did you mean image.hostname?"
      ),
      ("wifi_country = \"UK\"", "line 2: image.wifi_country is not a country; write \"GB\""),
      ("wifi_country = \"XX\"", "line 2: image.wifi_country is not a country; expected"),
      ("gpsd = \"yes\"", "line 2: image.gpsd must be true, false or \"auto\""),
      ("ssh_keys = [\"x\", 5]", "line 2: image.ssh_keys[1] is not a public key"),
      ("timezone = \"Mars\"", "line 2: image.timezone = \"Mars\" is not a time zone"),
      ("password = \"x\"", "line 2: there is no setting image.password; did you mean"),
    ])
  func wrongSettings(line: String, remark: String) {
    let made = BootBench().provisioning("[image]\n\(line)\n")
    #expect(made.remarks.first?.hasPrefix(remark) == true, "\(made.remarks)")
  }

  @Test(
    "an invalid network is dropped, the others are kept",
    arguments: [
      ("ssid = \"\"\npassword = \"\"", "[1].ssid has 0 bytes"),
      ("ssid = \"x\"\npassword = \"short\"", "[1].password has 5 bytes"),
      ("ssid = \"x\"\npassword = 12345678", "[1].password is a number; write it in quotes"),
      ("ssid = \"x\"", "[1] has no password, which is required"),
      (
        "ssid = \"x\"\npasword = \"12345678\"", "[1] has no setting pasword; did you mean password?"
      ),
      (
        "ssid = \"x\"\nsecurity = \"wpa3\"\npassword = "
          + "\"a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4a1b2c3d4\"",
        ": \"x\" has a key of 64 digits"
      ),
      ("ssid = \"x\"\npassword = \"\"\nsecurity = \"wpa3\"", ": \"x\" has no password, which WPA3"),
    ])
  func wrongNetworks(text: String, remark: String) {
    let header = "[[image.wifi_networks]]\n"
    let made = BootBench().provisioning(
      "\(header)\(text)\n\(header)ssid = \"good\"\npassword = \"\"\n")
    #expect(made.remarks.contains { $0.contains("networks\(remark)") }, "\(made.remarks)")
    #expect(made.files.count { $0.path.hasSuffix(".nmconnection") } == 1)
  }

  @Test(
    "a device's name becomes a host name",
    arguments: [
      ("Kestrel", "kestrel"), ("Kestrel (red) 2", "kestrel-red-2"), ("--x--", "x"),
      ("Grünfink", "gr-nfink"), ("鳥", "godwit"),
      (String(repeating: "a", count: 61) + " b", String(repeating: "a", count: 61) + "-b"),
    ])
  func hostNames(device: String, host: String) throws {
    let made = BootBench().provisioning("device.name = \"\(device)\"")
    #expect(try made.text("etc/hostname") == host + "\n")
    #expect(HostName.isValid(host))
  }

  @Test("a setting with its full name below another header is accepted as intended")
  func aSettingBelowAnotherHeader() throws {
    let made = BootBench().provisioning(
      "[[image.wifi_networks]]\nssid = \"x\"\npassword = \"\"\npolicy.name = \"periodic\"\n"
        + "boards = [\"host\"]\n")
    #expect(made.diagnostics.map(\.line) == [4, 5])
    #expect(made.files.count { $0.path.hasSuffix(".nmconnection") } == 1)
    #expect(try BootBench().daemon(made).settings.policy.name == "periodic")
    #expect(try BootBench().daemon(made).boards == ["host.board"])
  }

  @Test("the hosts file is kept, with this machine's name added")
  func hosts() {
    #expect(
      HostsText.naming("a", in: "# x\n127.0.0.1 l\n::1 l\n") == """
        # x
        127.0.0.1 l
        127.0.1.1\ta
        ::1 l

        """)
    #expect(HostsText.naming("a", in: "127.0.1.1 b b.c\n127.0.1.1 d") == "127.0.1.1\ta\n")
    #expect(HostsText.naming("a", in: nil).contains("127.0.0.1\tlocalhost\n127.0.1.1\ta\n::1"))
  }
}
