import RadioSignals
import Foundation
import Ports

/// Serves a radio for beacons as the daemon's loop does.
final class BeaconEar {
  /// The user ID of "nobody" in Debian: no group is needed.
  private static let user: uid_t = 65_534

  private let radio: any BeaconRadioPort
  private(set) var heard: [BeaconRadioEvent] = []
  private(set) var failures: [String] = []
  private(set) var wakes = 0

  init(_ radio: any BeaconRadioPort) { self.radio = radio }

  func forget() {
    heard = []
    failures = []
    wakes = 0
  }

  func listen(for seconds: Double) throws { _ = try serve(for: seconds) { false } }

  /// - Returns: the delay until reception in seconds.
  @discardableResult func hears(
    _ news: BeaconRadioEvent, within seconds: Double
  ) throws -> Double {
    let before = heard.count
    let began = Kernel.uptime
    let found = try serve(for: seconds) { heard.dropFirst(before).contains(news) }
    try require(
      found,
      "\(news) is not told within \(seconds) s; told was \(heard.dropFirst(before)), \(failures)")
    return Kernel.uptime - began
  }

  /// Waits for a failure report.
  func fails(_ words: String, within seconds: Double) throws {
    let before = failures.count
    let found = try serve(for: seconds) {
      failures.dropFirst(before).contains { $0.contains(words) }
    }
    try require(found, "'\(words)' is not told within \(seconds) s; told was \(failures)")
  }

  private func serve(for seconds: Double, until isSo: () -> Bool) throws -> Bool {
    let end = Kernel.uptime + seconds
    // The bus checks the user of a connection (SO_PEERCRED, unix(7)).
    seteuid(Self.user)
    defer { seteuid(0) }
    while Kernel.uptime < end {
      Kernel.wait(for: [radio], until: end)
      wakes += 1
      do throws(PortError) {
        while let news = try radio.next() { heard.append(news) }
      } catch {
        failures.append(error.message)
      }
      if isSo() { return true }
    }
    return false
  }
}
