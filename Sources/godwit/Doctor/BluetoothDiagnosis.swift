import RadioSignals
import Hardware
import GodwitSettings
import Core
import Places
import Platform
import Ports
import Store

/// Checks whether a radio listens for beacons, by which method, and what is received now.
enum BluetoothDiagnosis {
  /// Enough for a beacon that sends once a second and loses every third packet.
  private static let timeout: Seconds = 10

  /// The remedy if the settings have no radio.
  static let advice = "set bluetooth.kind to \"bluez\" in the daemon's settings, and restart it"

  /// Nil: the settings have no radio, and no place of the store has a beacon.
  static func finding(_ settings: Settings, store: String) -> Finding? {
    guard settings.bluetooth.kind == .bluez else { return missingRadio(store) }
    let radio = BlueZRadio(settings.bluetooth, leastStrength: settings.beacons.leastStrength)
    return finding(radio, settings.bluetooth.method)
  }

  private static func missingRadio(_ store: String) -> Finding? {
    guard let table = try? PlaceTable(StoreReader(path: store)) else { return nil }
    let count = table.places.count { !$0.beacons.isEmpty }
    guard count > 0 else { return nil }
    return .warn(
      "bluetooth", "nothing receives the beacons of \(Counted.text(count, "place")): \(advice)")
  }

  static func finding(
    _ radio: any BeaconRadioPort, _ method: BluetoothSettings.Method
  ) -> Finding {
    let received: (beacons: Set<BeaconIdentity>, isAlive: Bool)
    do throws(PortError) {
      received = try listen(radio)
    } catch {
      return .warn("bluetooth", error.message)
    }
    let sounds =
      received.beacons.isEmpty
      ? (received.isAlive ? "receives other devices, but no beacon" : "receives nothing")
      : "receives \(received.beacons.count == 1 ? "a beacon" : "\(received.beacons.count) beacons")"
    let text = "\(sounds) in \(Int(timeout.value)) s; \(advice(radio.method, method))"
    return received.beacons.isEmpty && !received.isAlive
      ? .warn("bluetooth", text) : .ok("bluetooth", text)
  }

  private static func advice(
    _ method: BeaconMethod?, _ wanted: BluetoothSettings.Method
  ) -> String {
    switch method {
    case .monitors:
      return "the adapter offers monitors, which wake this board only when a beacon appears or "
        + "disappears (with BlueZ 5.69 and 5.70 they find none: if \"bluetoothctl --version\" "
        + "shows one of these, set bluetooth.method to \"discovery\")"
    case .discovery where wanted == .automatic:
      return "the adapter offers no monitors, so every packet wakes this board during a scan; to "
        + "enable them, set \"Experimental = true\" in section [General] of "
        + "/etc/bluetooth/main.conf and run \"systemctl restart bluetooth\""
    default: return "by discovery, as set"
    }
  }

  private static func listen(
    _ radio: any BeaconRadioPort
  ) throws(PortError) -> (Set<BeaconIdentity>, Bool) {
    let end = BootClock.now + timeout
    var beacons: Set<BeaconIdentity> = []
    var isAlive = false
    radio.scan(true)
    defer { radio.scan(false) }
    repeat {
      while let news = try radio.next() {
        switch news {
        case .received(let frame, _), .found(let frame, _): beacons.insert(frame.beacon)
        case .otherDevice: isAlive = true
        default: break
        }
      }
      _ = BootClock.wait(for: radio, until: end)
    } while BootClock.now < end
    return (beacons, isAlive)
  }
}
