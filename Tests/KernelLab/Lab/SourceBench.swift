import Foundation
import Ports
import Records

/// Serves a source of evidence as the daemon's loop does.
final class SourceBench {
  private let port: any EvidencePort
  private(set) var evidence: [Evidence] = []
  private(set) var failures: [String] = []
  /// How often it was served, also in vain.
  private(set) var wakes = 0

  init(_ port: any EvidencePort) { self.port = port }

  var isListening: Bool { port.interest?.reads == true }

  /// - Parameters:
  /// - tick: milliseconds.
  /// - act: called at every tick with its number.
  /// - Returns: what was reported meanwhile.
  func serve(
    for seconds: Double, every tick: Int32 = 10, act: (Int) throws -> Void = { _ in }
  ) throws -> [Evidence] {
    let before = evidence.count
    let began = Kernel.uptime
    var number = 0
    while Kernel.uptime - began < seconds {
      try act(number)
      number += 1
      // A ready descriptor of no interest would make the clock stand still.
      let watched = port.interest.flatMap { $0.reads ? $0.descriptor : nil }
      var ready = pollfd(fd: watched ?? -1, events: Int16(POLLIN), revents: 0)
      let isReady = poll(&ready, 1, tick) > 0
      let isDue = port.due.map { Double($0.nanoseconds) * 1e-9 <= Kernel.uptime } ?? false
      guard isReady || isDue else { continue }
      wakes += 1
      do throws(PortError) {
        while let told = try port.poll() { evidence.append(told) }
      } catch {
        failures.append(error.message)
      }
    }
    return Array(evidence.dropFirst(before))
  }

  /// How often it was served during the body.
  func wakes(while body: () throws -> Void) throws -> Double {
    let before = wakes
    try body()
    return Double(wakes - before)
  }
}
