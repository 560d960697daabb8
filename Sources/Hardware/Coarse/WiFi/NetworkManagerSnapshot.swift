import Core
import Records

/// One Wi-Fi device of NetworkManager and the access points that it has received, from the list of
/// all objects (the interface files of NetworkManager 1.42).
struct NetworkManagerSnapshot {
  /// More are not read: no place has so many, and a false list must not take more memory.
  static let maxAccessPoints = 1024
  /// At most so many are reported, the strongest.
  static let maxSignals = 64
  /// Entries older than the latest one by more than this belong to an earlier scan.
  static let scanSpan = Seconds(15)

  let device: String
  let interface: String
  /// In milliseconds of CLOCK_BOOTTIME, as the device reports it; -1: it has never scanned.
  let lastScan: Int64
  /// When something was last received, or a scan ended; nil: never.
  let lastReception: BootInstant?
  /// From the latest scan, the strongest first; only those usable for a position.
  let signals: [AccessPointSignal]

  /// Nil: there is no such Wi-Fi device.
  /// - Parameter interface: nil: the first one found, with preference for one in use.
  init?(_ objects: BusMessage, interface: String?, at now: BootInstant) {
    guard let device = Device.chosen(of: objects, named: interface) else { return nil }
    self.device = device.path
    self.interface = device.interface
    lastScan = device.lastScan
    let received = AccessPoint.all(of: objects, at: device.accessPoints, now)
    let scanned = Self.moment(milliseconds: device.lastScan, now)
    let latest = received.map(\.seen).max()
    self.lastReception =
      max(latest ?? .zero, scanned ?? .zero) > .zero
      ? max(latest ?? .zero, scanned ?? .zero) : nil
    signals = Array(
      received.filter { latest.map { [span = Self.scanSpan] in $0 - span } ?? .zero <= $0.seen }
        .sorted { ($1.signal.strength, $0.signal.bssid) < ($0.signal.strength, $1.signal.bssid) }
        .prefix(Self.maxSignals).map(\.signal))
  }

  static func moment(milliseconds: Int64, _ now: BootInstant) -> BootInstant? {
    guard (0...Int64.max / 1_000_000).contains(milliseconds) else { return nil }
    return past(BootInstant(nanoseconds: milliseconds * 1_000_000), now)
  }

  /// NetworkManager rounds; a time farther ahead is invalid.
  static func past(_ moment: BootInstant, _ now: BootInstant) -> BootInstant? {
    moment - now <= 2 ? min(moment, now) : nil
  }
}

extension NetworkManagerSnapshot {
  private struct Device {
    static let wireless = "org.freedesktop.NetworkManager.Device.Wireless"

    let path: String
    var interface = ""
    var isWireless = false
    var isInUse = false
    var lastScan: Int64 = -1
    var accessPoints: Set<String> = []

    static func chosen(of objects: BusMessage, named name: String?) -> Device? {
      var chosen: Device?
      objects.rewind()
      objects.entries("oa{sa{sv}}") {
        guard let path = objects.text() else { return }
        let device = Device(path, objects)
        guard device.isWireless, name == nil || device.interface == name else { return }
        if chosen.map(device.comesBefore) ?? true { chosen = device }
      }
      return chosen
    }

    private init(_ path: String, _ objects: BusMessage) {
      self.path = path
      objects.entries("sa{sv}") {
        switch objects.text() {
        case "org.freedesktop.NetworkManager.Device": readDevice(objects)
        case Self.wireless: readWireless(objects)
        default: break
        }
      }
    }

    private mutating func readDevice(_ objects: BusMessage) {
      objects.properties { property in
        switch property {
        case "Interface": interface = objects.text(atMost: 64) ?? ""
        // NM_DEVICE_STATE_DISCONNECTED: managed, and its radio is on.
        case "State": isInUse = (objects.integer() ?? 0) >= 30
        default: break
        }
      }
    }

    private mutating func readWireless(_ objects: BusMessage) {
      isWireless = true
      objects.properties { property in
        switch property {
        case "LastScan": lastScan = objects.integer() ?? -1
        case "AccessPoints":
          objects.elements("o", atMost: maxAccessPoints) {
            guard let path = objects.text() else { return false }
            accessPoints.insert(path)
            return true
          }
        default: break
        }
      }
    }

    private func comesBefore(_ other: Device) -> Bool {
      isInUse != other.isInUse ? isInUse : interface < other.interface
    }
  }
}

extension NetworkManagerSnapshot {
  private struct AccessPoint {
    let signal: AccessPointSignal
    let seen: BootInstant

    static func all(
      of objects: BusMessage, at paths: Set<String>, _ now: BootInstant
    ) -> [AccessPoint] {
      var all: [AccessPoint] = []
      objects.rewind()
      objects.entries("oa{sa{sv}}") {
        guard all.count < maxAccessPoints, let path = objects.text(), paths.contains(path) else {
          return
        }
        objects.entries("sa{sv}") {
          guard objects.text() == "org.freedesktop.NetworkManager.AccessPoint",
            let one = AccessPoint(objects, now)
          else { return }
          all.append(one)
        }
      }
      return all
    }

    /// Nil: not usable for a position, or not received.
    private init?(_ objects: BusMessage, _ now: BootInstant) {
      var ssid: [UInt8]?
      var address: String?
      var strength: Int64?
      var seen: Int64?
      objects.properties { property in
        switch property {
        case "Ssid": ssid = objects.bytes(atMost: 32)
        case "HwAddress": address = objects.text(atMost: 17)
        case "Strength": strength = objects.integer()
        // In seconds of CLOCK_BOOTTIME; -1: never.
        case "LastSeen": seen = objects.integer()
        default: break
        }
      }
      guard let ssid, let address, let strength, let seen, (0...100).contains(strength),
        (0...Int64(Int32.max)).contains(seen),
        let moment = past(BootInstant(nanoseconds: seen * 1_000_000_000), now),
        AccessPointFilter.isUsable(ssid: ssid, bssid: address),
        let bssid = HardwareAddress(address)
      else { return nil }
      // nm_wifi_utils_level_to_quality: 0 % at -100 dBm, 100 % from -40 dBm on.
      signal = AccessPointSignal(bssid: bssid.text, strength: -100 + 0.6 * Double(strength))
      self.seen = moment
    }
  }
}
