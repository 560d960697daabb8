import GodwitSettings
import Testing

@testable import Config

@Suite struct ProvisioningTests {
  static let good = """
    boards = ["host", "hat"]
    policy.name = "periodic"

    [device]
    name = "Kestrel (red)"

    [lookup]
    url = "https://example.org/?key=geheim"

    [image]
    wifi_country = "de"
    timezone = "Europe/Berlin"
    ssh_keys = ["\(BootBench.key)"]
    closed = true

    [[image.wifi_networks]]
    ssid = "Home"
    password = "correct horse"
    hidden = true

    [[image.wifi_networks]]
    ssid = "Café"
    password = ""

    """

  @Test("a good file becomes exactly these files")
  func aGoodFile() throws {
    let made = BootBench().provisioning(Self.good)
    #expect(
      made.remarks == [
        "line 14: image.closed = true blocks the network that network.kind = \"netlink\" "
          + "needs; leave one of them out"
      ])
    #expect(
      try made.text("etc/godwit/godwit.toml") == """
        # Written from /boot/firmware/godwit.toml at every start, by "godwit image apply".
        # Change that file: changes here are lost.
        boards = ["host","hat"]
        policy.name = "periodic"  # line 2
        device.name = "Kestrel (red)"  # line 5
        lookup.url = "https://example.org/?key=geheim"  # line 8

        """)
    #expect(try made.text("etc/hostname") == "kestrel-red\n")
    #expect(
      try made.text("etc/hosts")
        == "127.0.0.1\tlocalhost\n127.0.1.1\tkestrel-red\n::1\tlocalhost\n")
    #expect(made.content("etc/localtime") == .link("../usr/share/zoneinfo/Europe/Berlin"))
    #expect(
      try made.text("etc/modprobe.d/godwit-wifi-country.conf")
        == "options cfg80211 ieee80211_regdom=DE\n")
    #expect(try made.text("etc/ssh/authorized_keys.d/godwit") == BootBench.key + "\n")
    #expect(made.content("etc/systemd/system/gpsd.socket") == .link("/dev/null"))
    #expect(made.content("etc/systemd/system/gpsd.service") == .link("/dev/null"))
    #expect(
      made.content("etc/systemd/system/godwit.service.d/closed.conf")
        == .link("/usr/share/doc/godwit/examples/godwit.service.d/closed.conf"))
    #expect(made.files.count == 14)
  }

  @Test("a network becomes exactly this connection, for root alone")
  func aNetwork() throws {
    let made = BootBench().provisioning(Self.good)
    let profiles = made.files.filter { $0.path.hasSuffix(".nmconnection") }
    let first = try #require(profiles.first)
    #expect(profiles.count == 2)
    guard case .file(let bytes, let mode) = first.content else { throw NoSuchFile() }
    #expect(mode == 0o600)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        [connection]
        id=Home
        uuid=3637e295-08c8-86c7-9ee8-2a3859b3086a
        type=wifi
        autoconnect-priority=2

        [wifi]
        mode=infrastructure
        ssid=72;111;109;101;
        hidden=true

        [wifi-security]
        key-mgmt=wpa-psk
        psk=correct\\shorse

        [ipv4]
        method=auto

        [ipv6]
        method=auto

        """)
  }

  @Test("without a file the board tracks with the image's own board, and login is impossible")
  func withoutAFile() throws {
    for boot in [BootBytes.missing, .unreadable("Input/output error"), .read([])] {
      let made = BootBench().provisioning(boot)
      #expect(made.diagnostics.count == 1)
      let daemon = try BootBench().daemon(made)
      #expect(daemon.origin(of: "gnss.sleeping_mA").description == ".board:2")
      #expect(try made.text("etc/hostname") == "godwit\n")
      #expect(made.content("etc/ssh/authorized_keys.d/godwit") == .nothing)
    }
  }

  @Test("connections of an earlier boot file are removed, other connections stay")
  func connectionsOfEarlierFilesGo() {
    var bench = BootBench()
    bench.facts.connections = ["office.nmconnection", "godwit-0a.nmconnection"]
    let folder = "etc/NetworkManager/system-connections"
    let made = bench.provisioning(Self.good)
    #expect(made.content("\(folder)/godwit-0a.nmconnection") == .nothing)
    #expect(made.content("\(folder)/office.nmconnection") == nil)
  }

  @Test("gpsd runs if the receiver is reached through it")
  func gpsd() throws {
    let units = "etc/systemd/system"
    let text = "receiver.kind = \"gpsd\"\nreceiver.gpsd_device = \"/dev/serial0\"\n"
    let made = BootBench().provisioning(text)
    #expect(made.remarks == [])
    #expect(made.content("\(units)/gpsd.socket") == .noLink)
    #expect(made.content("\(units)/gpsd.service") == .noLink)
    #expect(try made.text("etc/godwit/gpsd.env") == "DEVICES=/dev/serial0\n")
    #expect(
      try made.text("\(units)/gpsd.service.d/godwit-image.conf")
        == "[Service]\nEnvironmentFile=/etc/godwit/gpsd.env\n")
    #expect(
      made.content("\(units)/gpsd.socket.d/godwit.conf")
        == .link("/usr/share/doc/godwit/examples/gpsd.socket.d/godwit.conf"))
    let off = BootBench().provisioning(text + "image.gpsd = false\n")
    #expect(off.content("\(units)/gpsd.socket") == .link("/dev/null"))
    #expect(off.remarks.count == 1)
    let odd = BootBench().provisioning("receiver.kind = \"gpsd\"\nreceiver.gpsd_device = \"a$b\"")
    #expect(odd.content("etc/godwit/gpsd.env") == .nothing)
    #expect(odd.remarks.first?.hasPrefix("line 2: receiver.gpsd_device = \"a$b\"") == true)
  }
}
