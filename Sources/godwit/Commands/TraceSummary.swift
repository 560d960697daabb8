import Config
import Formats
import GodwitSettings
import Core
import GNSS
import Runtime
import VirtualDevice

/// The result of a run over a recording: the run's own figures, and the unreadable parts of the
/// recording. A run over part of a file must not look like one over all of it.
struct TraceSummary {
  let run: RunSummary
  let provenance: Provenance
  /// The unreadable parts of the trace; nil without one, or where the decoder counts.
  var losses: TraceLosses?
  /// The changes made to the trace; nil without a trace that was checked.
  var findings: TraceFindings?
  /// The dates of a receiver's recording that were skipped; nil without one.
  var wrongDates: RowCount?
  /// The number of corrected first dates; nil without a recording.
  var datesCorrected: Int?
  /// The number of positions left out because the recording's time goes back; nil without a
  /// recording.
  var earlierLeftOut: Int?
  /// Further remarks about the recording.
  var remarks: [String] = []
  /// The assumed satellite reception; nil if the truth contains it.
  var assumedReception: String?
  /// The trace's holes as interpreted; nil without a trace.
  var holes: TraceHoles?
  /// The least energy of any schedule; nil if not requested.
  var bound: BoundReport?
  /// The score against the truth; nil if not requested.
  var score: ScoreReport?
  /// Nil: no charge curve was requested.
  var charge: SimulatedCharge?
  /// Nil: the board had no radio for beacons, or there were no beacons.
  var beacons: SimulatedBeaconsReport?
  /// The virtual board's power switch; nil for a recording.
  var virtualSwitch: VirtualSwitchReport?

  var json: JSONValue {
    guard case .object(let members) = run.json else { return run.json }
    let own: [(String, JSONValue)] =
      TraceFindings.json(findings, losses, wrongDates: wrongDates) + [
        ("trace_dates_corrected", .count(datesCorrected)),
        ("trace_earlier_left_out", .count(earlierLeftOut)), ("sky", .text(assumedReception)),
        ("provenance", provenance.json),
      ] + (holes?.members ?? [])
    var all: [(String, JSONValue)] = members.map { ($0.name, $0.value) }
    all += virtualSwitch?.members ?? []
    if let beacons { all.append(beacons.member) }
    all += own
    all += bound?.members ?? []
    all += score?.members ?? []
    if let charge { all.append(charge.member) }
    return .object(all)
  }

  var text: String {
    let parts: [String?] = [beacons?.text, virtualSwitch?.text, bound?.text, score?.text]
    var lines = [run.text]
    for part in parts { if let part { lines += ["", part] } }
    return (lines + sentences).joined(separator: "\n")
  }

  private var sentences: [String] {
    (findings?.sentences(losses) ?? []) + remarks + (holes?.sentences ?? [])
  }
}

extension TraceHoles {
  var members: [(String, JSONValue)] {
    [
      ("holes_taken_for_stays", .count(stays)),
      ("holes_taken_for_stays_s", .rounded(timeInStays.value, digits: 1)),
      ("holes_unknown", .count(unknown)),
      ("holes_unknown_s", .rounded(timeUnknown.value, digits: 1)),
    ]
  }

  var sentences: [String] {
    var sentences: [String] = []
    if stays > 0 {
      sentences.append(
        "\(Counted.text(stays, "hole")) of the trace, \(timeInStays.inWords) in all, "
          + "\(stays == 1 ? "counts" : "count") as rest, because the trace continues nearby")
    }
    if unknown > 0 {
      sentences.append(
        "where the board was in \(Counted.text(unknown, "hole")) of the trace, "
          + "\(timeUnknown.inWords) in all, is unknown: it counts as neither signal nor stay")
    }
    return sentences
  }
}

extension StandardError {
  /// Printed on standard error, to be visible when the figures go into a file.
  static func report(_ sentences: [String], of path: String) {
    for sentence in sentences { report("\(path): \(sentence)") }
  }
}

/// The power switch of the virtual board: an energy of 400 J a day must not be mistaken for that of
/// a receiver without a switch.
struct VirtualSwitchReport {
  let kind: PowerSwitchSettings.Kind
  let origin: Origin
  /// Whether the receiver can be switched off or put to sleep.
  let canRest: Bool

  init(_ configuration: Configuration<Settings>, _ composition: Composition) {
    kind = composition.settings.powerSwitch.kind
    origin = configuration.origin(of: "power_switch.kind")
    canRest = PowerSequencer(composition.wiring).capabilities.canRest
  }

  var effective: PowerSwitchSettings.Kind { origin == .builtIn ? .virtual : kind }

  var members: [(String, JSONValue)] {
    [
      ("power_switch", .string(effective.rawValue)),
      ("power_switch_origin", .string(origin.description)),
    ]
  }

  var text: String {
    guard origin != .builtIn else {
      return "power switch: an ideal one in the receiver's supply, because no setting names one "
        + "(power_switch.kind)"
    }
    return "power switch: \(kind.rawValue), as set (\(origin))"
      + (canRest ? "" : "; nothing can put the receiver to sleep, so it is always on")
  }
}

/// A run's energy compared with the least that any schedule could have used.
struct BoundReport {
  let bound: EnergyBound
  /// The energy of the run: receiver and sources.
  let energy: Joules

  var members: [(String, JSONValue)] {
    [
      ("bound_clairvoyant_J", .rounded(bound.clairvoyant.value, digits: 3)),
      ("bound_perfect_motion_J", .rounded(bound.perfectMotion.value, digits: 3)),
      ("energy_per_bound_clairvoyant", Self.multiple(energy, of: bound.clairvoyant)),
      ("energy_per_bound_perfect_motion", Self.multiple(energy, of: bound.perfectMotion)),
    ]
  }

  /// Null if the least energy is zero.
  private static func multiple(_ energy: Joules, of bound: Joules) -> JSONValue {
    bound > 0 ? .rounded(energy / bound, digits: 4) : .null
  }

  var text: String {
    func line(_ name: String, _ bound: Joules) -> String {
      let least = "least energy of \(name): \(FixedDecimal.text(bound.value, digits: 2)) J"
      guard bound > 0 else { return least }
      return least + "; this run used \(FixedDecimal.text(energy / bound, digits: 2)) times as much"
    }
    return """
      \(line("any schedule", bound.clairvoyant))
      \(line("one that knows the motion, but not the future", bound.perfectMotion))
      """
  }
}
