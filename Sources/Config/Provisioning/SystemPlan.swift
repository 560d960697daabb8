import Core

/// The system files that the image's settings and the daemon's requirements imply.
struct SystemPlan {
  static let settings = "etc/godwit/godwit.toml"
  private static let networks = "image.wifi_networks"
  private static let units = "etc/systemd/system"
  private static let gpsdDevices = "etc/godwit/gpsd.env"

  private let image: ImageSettings
  private let requirements: DaemonRequirements
  private let facts: SystemFacts
  private let user: String
  /// The line of each setting in the boot file.
  private let lines: [String: Int]
  private(set) var files: [SystemFile] = []
  private(set) var diagnostics: [Diagnostic] = []
  private(set) var subjects: [(name: String, text: String)] = []

  init(
    _ image: ImageSettings, _ needs: DaemonRequirements, _ facts: SystemFacts, user: String,
    lines: [String: Int]
  ) {
    self.lines = lines
    self.image = image
    self.requirements = needs
    self.facts = facts
    self.user = user
  }

  mutating func plan() {
    planName()
    planTimeZone()
    planNetworks()
    planCountry()
    planKeys()
    let hasGpsd = planGpsd()
    planService(hasGpsd: hasGpsd)
  }

  private mutating func addSubject(_ name: String, _ text: String) { subjects.append((name, text)) }

  private mutating func complain(about setting: String, _ text: String) {
    diagnostics.append(Diagnostic(line: lines[setting], "\(setting)\(text)"))
  }

  private mutating func planName() {
    let made = requirements.deviceName.flatMap { HostName.made(from: $0) }
    let name = image.hostname ?? made ?? HostName.fallback
    files.append(SystemFile("etc/hostname", text: name + "\n"))
    files.append(SystemFile("etc/hosts", text: HostsText.naming(name, in: facts.hosts)))
    addSubject("host name", name)
  }

  private mutating func planTimeZone() {
    guard let zones = facts.timeZones else {
      if image.timezone != nil {
        complain(
          about: "image.timezone", ": this image has no time zones but UTC (tzdata is missing)")
      }
      return addSubject("time zone", "as the image has it")
    }
    var zone = "Etc/UTC"
    if let wanted = image.timezone {
      if zones.contains(wanted) {
        zone = wanted
      } else {
        let near = NearestName.suggestion(for: wanted, among: zones.sorted())
        let hint = near.map { "did you mean \($0)?" } ?? "write one such as \"Europe/Berlin\""
        complain(
          about: "image.timezone",
          " = \(SettingText.quoted(wanted)) is not a time zone; \(hint)")
      }
    }
    files.append(SystemFile("etc/localtime", .link("../usr/share/zoneinfo/\(zone)")))
    addSubject("time zone", zone)
  }

  private mutating func planNetworks() {
    var planned: [String] = []
    // Compared as bytes: names with equivalent characters are different networks.
    var seen: Set<[UInt8]> = []
    for (index, network) in image.networks.enumerated() {
      let name = SettingText.quoted(network.name)
      guard seen.insert(Array(network.name.utf8)).inserted else {
        complain(about: Self.networks, ": \(name) is listed more than once; the first is used")
        continue
      }
      guard network.password != nil || network.security == .automatic else {
        complain(
          about: Self.networks, ": \(name) has no password, which WPA3 needs; it is not set up")
        continue
      }
      guard network.security != .wpa3 || !network.hasKey else {
        complain(
          about: Self.networks,
          ": \(name) has a key of 64 digits, but WPA3 accepts only passwords; it is not set up")
        continue
      }
      let profile = NetworkProfile(network, priority: image.networks.count - index)
      files.append(profile.file)
      planned.append(profile.name)
      addSubject("Wi-Fi", "\(name), \(Self.words(for: network))")
    }
    if planned.isEmpty { addSubject("Wi-Fi", "none") }
    let gone = facts.connections.filter { NetworkProfile.isOurs($0) && !planned.contains($0) }
    for name in gone.sorted() {
      files.append(SystemFile("\(NetworkProfile.folder)/\(name)", .nothing))
    }
  }

  private static func words(for network: WiFiNetwork) -> String {
    let security = network.security == .wpa3 ? "WPA3" : "WPA2 or WPA3"
    let words =
      network.password == nil ? "open, without a password" : "\(security), with a password"
    return network.isHidden ? "\(words), hidden" : words
  }

  /// cfg80211 reads it when it is loaded (ieee80211_regdom, net/wireless/reg.c).
  private mutating func planCountry() {
    let path = "etc/modprobe.d/godwit-wifi-country.conf"
    guard let country = image.wifiCountry else {
      files.append(SystemFile(path, .nothing))
      return addSubject("Wi-Fi country", "not set")
    }
    files.append(SystemFile(path, text: "options cfg80211 ieee80211_regdom=\(country)\n"))
    addSubject("Wi-Fi country", country)
  }

  private mutating func planKeys() {
    let path = "etc/ssh/authorized_keys.d/\(user)"
    let keys = image.sshKeys.compactMap { try? SSHKey($0) }
    guard !keys.isEmpty else {
      files.append(SystemFile(path, .nothing))
      return addSubject("ssh", "nobody can log in: image.ssh_keys has no key")
    }
    files.append(SystemFile(path, text: keys.map { $0.line + "\n" }.joined()))
    for key in keys {
      let comment = key.comment.isEmpty ? "" : ", \(key.comment)"
      addSubject("ssh", "\(user) logs in with \(key.fingerprint) (\(key.kind)\(comment))")
    }
  }
}

extension SystemPlan {
  /// Whether gpsd runs.
  private mutating func planGpsd() -> Bool {
    let isOn = image.gpsd ?? requirements.hasLocalGpsd
    for unit in ["gpsd.socket", "gpsd.service"] {
      files.append(SystemFile("\(Self.units)/\(unit)", isOn ? .noLink : .link("/dev/null")))
    }
    planGpsdDevice(isOn ? requirements.gpsdDevice : nil)
    let opening = "\(Self.units)/gpsd.socket.d/godwit.conf"
    if isOn, requirements.hasLocalGpsd, let examples = facts.examples {
      files.append(SystemFile(opening, .link("\(examples)/gpsd.socket.d/godwit.conf")))
    } else {
      files.append(SystemFile(opening, .nothing))
    }
    if requirements.hasLocalGpsd && !isOn {
      complain(
        about: "image.gpsd",
        " = false: receiver.kind = \"gpsd\" needs a gpsd on this board. Leave it out, or name "
          + "another host with receiver.host")
    }
    addSubject("gpsd", isOn ? "runs" : "off")
    return isOn
  }

  /// Debian's unit reads the device from its own environment file, which is left alone.
  private mutating func planGpsdDevice(_ device: String?) {
    let dropIn = "\(Self.units)/gpsd.service.d/godwit-image.conf"
    guard let device, Self.isPlain(device) else {
      if let device {
        complain(
          about: "receiver.gpsd_device",
          " = \(SettingText.quoted(device)) is not a path that gpsd accepts; write one such as "
            + "\"/dev/serial0\"")
      }
      files += [SystemFile(dropIn, .nothing), SystemFile(Self.gpsdDevices, .nothing)]
      return
    }
    files.append(
      SystemFile(dropIn, text: "[Service]\nEnvironmentFile=/\(Self.gpsdDevices)\n"))
    files.append(SystemFile(Self.gpsdDevices, text: "DEVICES=\(device)\n"))
  }

  /// A path that systemd.exec(5) reads literally.
  private static func isPlain(_ path: String) -> Bool {
    path.hasPrefix("/")
      && path.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  private mutating func planService(hasGpsd: Bool) {
    let path = "\(Self.units)/godwit.service.d/closed.conf"
    let users = requirements.networkUsers
    let isClosed = image.isClosed ?? users.isEmpty
    guard isClosed else {
      files.append(SystemFile(path, .nothing))
      let why = users.isEmpty ? "image.closed = false" : users.joined(separator: ", ")
      return addSubject("service", "may use the network (\(why))")
    }
    guard let examples = facts.examples else {
      files.append(SystemFile(path, .nothing))
      diagnostics.append(
        Diagnostic(
          "The service may use the network although it should not: this image lacks "
            + "godwit.service.d/closed.conf; reinstall the package godwit"))
      return addSubject("service", "may use the network (the image lacks closed.conf)")
    }
    files.append(SystemFile(path, .link("\(examples)/godwit.service.d/closed.conf")))
    if !users.isEmpty {
      complain(
        about: "image.closed",
        " = true blocks the network that \(users.joined(separator: ", ")) needs; leave one "
          + "of them out")
    }
    addSubject("service", "closed: it cannot use any network")
  }
}
