import Core
import Tracking

extension StatusReport {
  /// The status in one line, for `systemctl status`.
  var line: String {
    let tracker = runtime.tracker
    var parts = ["gnss \(runtime.activity.positioningState.rawValue)"]
    if let visit = tracker.openVisit {
      let place = visit.destination.map { runtime.label(of: $0) ?? "destination \($0)" }
      let arrival = ISO8601.text(visit.arrival.estimate, digits: 0).prefix(16)
      parts.append("at \(place ?? "a place") since \(arrival)Z")
    }
    if let order = tracker.command.wanted == .auto ? nil : tracker.command.wanted {
      parts.append("gnss \(order.rawValue) by command")
    }
    if let fault = faults.first { parts.append(fault) }
    return (parts + ["policy \(tracker.policyName)"]).joined(separator: "; ")
  }

  /// The faults of configured parts, in words, the worst first.
  var faults: [String] {
    let missing = runtime.presence.isMissing ? "the receiver sends no data" : nil
    return [
      runtime.storeHealth.failure, runtime.receiver.failure ?? missing, runtime.power.failure,
      runtime.storeHealth.warning, runtime.energy.failure,
      runtime.tracker.clock.objection?.text, runtime.battery?.failure,
      runtime.settingsFailure.map { "the settings on disk are invalid: \($0)" },
      runtime.places.beacons?.fault,
    ].compactMap { $0 }
  }

  /// Changes whenever `line` changes, and is cheaper to compute.
  var mark: StatusMark {
    StatusMark(
      activity: runtime.activity.positioningState.rawValue, visit: runtime.tracker.openVisitID,
      order: runtime.tracker.command, fault: faults.first)
  }
}

/// The part of the status whose changes are sent to systemd.
struct StatusMark: Equatable {
  let activity: String
  let visit: Int64?
  let order: PersistentGnssCommand
  let fault: String?
}
