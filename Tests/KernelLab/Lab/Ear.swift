import Foundation
import Ports
import Records

/// Serves sources as the daemon's loop does.
final class Ear {
  private let sources: [any EvidencePort]
  private(set) var heard: [Evidence] = []
  private(set) var failures: [String] = []
  private(set) var wakes = 0
  /// The user who connects to the bus; nil: root.
  var user: uid_t?

  init(_ sources: [any EvidencePort]) { self.sources = sources }

  func forget() { heard = [] }

  func listen(for seconds: Double) throws { _ = try serve(for: seconds) { _ in false } }

  /// - Returns: the delay until reception in seconds.
  func hears(
    _ what: String, within seconds: Double, _ isIt: (Evidence) -> Bool
  ) throws -> Double {
    let began = Kernel.uptime
    let found = try serve(for: seconds, until: isIt)
    try require(found, "\(what) is not told within \(seconds) s; told was \(heard)")
    return Kernel.uptime - began
  }

  private func serve(for seconds: Double, until isIt: (Evidence) -> Bool) throws -> Bool {
    let end = Kernel.uptime + seconds
    // The bus checks the user of a connection (SO_PEERCRED, unix(7)).
    if let user { seteuid(user) }
    defer { seteuid(0) }
    while Kernel.uptime < end {
      Kernel.wait(for: sources, until: end)
      wakes += 1
      for source in sources {
        do throws(PortError) {
          while let evidence = try source.poll() {
            heard.append(evidence)
            if isIt(evidence) { return true }
          }
        } catch {
          failures.append(error.message)
        }
      }
    }
    return false
  }
}
