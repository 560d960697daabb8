import Core
import GNSS

/// The output of `godwit gnss probe`.
struct ProbeReport {
  let result: ReceiverIdentificationRun.Result
  /// The present setting.
  let powerSwitch: PowerSwitchSettings.Kind

  private var identity: ReceiverIdentity { result.identity }
  private var abilities: ReceiverAbilities { identity.abilities }

  /// Lines for the settings file; without a family while it is unknown.
  var settings: [String] {
    var lines: [String] = []
    if let family = identity.family { lines.append("receiver.family = \"\(family.rawValue)\"") }
    if let baud = result.baud { lines.append("receiver.baud = \(baud)") }
    if powerSwitch == .none, !abilities.sleepMethods(hasWakeLine: false).isEmpty {
      lines.append("power_switch.kind = \"command\"")
    }
    return lines
  }

  private var languages: [String] {
    let all: [(ReceiverProtocolSet, String)] = [(.nmea, "NMEA"), (.ubx, "UBX"), (.gpsd, "gpsd")]
    return all.filter { result.protocols.contains($0.0) }.map(\.1)
  }

  // MARK: Text

  var text: String {
    var page = TextPage(names: 9)
    page.add("line", [result.line] + languages)
    page.add(
      "devices", result.devices.map { "\($0.path) (driver \($0.driver ?? "unknown yet"))" })
    page.add("receiver", receiver)
    page.add("family", family)
    page.add("queried", queries)
    let methods = abilities.sleepMethods.map(Self.text)
    page.add("sleep", lines: methods.isEmpty ? ["no known command"] : methods)
    page.add("hot start", hotStart)
    page.add("signals", signals)
    page.add("settings", lines: settings)
    return page.text
  }

  private var receiver: String {
    let name = [identity.vendor, identity.model].compactMap { $0 }.joined(separator: " ")
    let parts = [
      name.isEmpty ? "unknown" : name, identity.firmware.map { "firmware \($0)" },
      identity.chip.map { "chip \($0)" },
      identity.protocolVersion.map { "protocol \($0)" },
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  private var family: String {
    guard let family = identity.family else { return "unknown: \(whyUnknown)" }
    return family.rawValue + (identity.isCertain ? "" : " (assumed from its protocol)")
  }

  private var whyUnknown: String {
    if result.devices.contains(where: { $0.driver != nil }) {
      return "gpsd understands it, but has not identified it"
    }
    return result.devices.isEmpty
      ? "it does not answer queries. Check that this board's TX is wired to the receiver's RX; if "
        + "that is impossible, set receiver.family to the name printed on the module"
      : "gpsd has received nothing from it. Check its power, and its speed in gpsd"
  }

  private var queries: [String] {
    result.queries.map {
      $0.rawValue + (result.answered.contains($0) ? " (answered)" : " (no answer)")
    }
  }

  private static func text(_ method: SleepMethod) -> String {
    let wakes = wakeSources.filter { method.wakes.contains($0.source) }.map(\.text)
    var parts = ["\(method.rawValue): wakes by \(wakes.joined(separator: ", "))"]
    if let maxDuration = method.maxDuration {
      parts.append("at most \(FixedDecimal.text(maxDuration / .days(1), digits: 1)) days")
    }
    parts.append(method.keepsConfiguration ? "keeps its configuration" : "may lose configuration")
    return parts.joined(separator: "; ")
  }

  /// What wakes a receiver, for programs and for people.
  private static let wakeSources: [(source: WakeSources, key: String, text: String)] = [
    (.bytes, "bytes", "bytes"), (.line, "line", "its wake line"), (.timer, "timer", "its timer"),
  ]

  private var hotStart: String {
    var parts: [String] = []
    if abilities.savesNavigationData {
      parts.append("saves its navigation data in flash, if it has one")
    }
    if abilities.dumpsNavigationData { parts.append("can save its navigation data on the host") }
    if abilities.acceptsTime { parts.append("accepts time and position from the host") }
    return parts.isEmpty
      ? "only with its backup supply" : parts.joined(separator: ", ") + "; or by its backup supply"
  }

  private var signals: String {
    switch result.signals {
    case .reported: "strengths reported"
    case .toBeRequested: "strengths not reported: the daemon requests them"
    case .missing: "strengths not reported: only time limits end a search"
    case .unknown: "strengths unknown: no epoch was received"
    }
  }

  // MARK: JSON

  var json: String { JSONValue.object(line + identityMembers + able).text }

  private var line: [(name: String, value: JSONValue)] {
    [
      ("line", .string(result.line)),
      ("baud", .count(result.baud)),
      ("protocols", .array(languages.map { .string($0.lowercased()) })),
      (
        "devices",
        .array(
          result.devices.map {
            .object([
              ("path", .string($0.path)), ("driver", .text($0.driver)),
              ("subtype", .text($0.subtype)), ("subtype1", .text($0.subtype1)),
              ("baud", .count($0.baud)),
            ])
          })
      ),
    ]
  }

  private var identityMembers: [(name: String, value: JSONValue)] {
    [
      ("vendor", .text(identity.vendor)), ("model", .text(identity.model)),
      ("chip", .text(identity.chip)), ("firmware", .text(identity.firmware)),
      ("protocol_version", .text(identity.protocolVersion?.description)),
      ("family", .text(identity.family?.rawValue)), ("certain", .bool(identity.isCertain)),
      (
        "asked",
        .array(
          result.queries.map {
            .object([
              ("query", .string($0.rawValue)), ("answered", .bool(result.answered.contains($0))),
            ])
          })
      ),
    ]
  }

  private var able: [(name: String, value: JSONValue)] {
    [
      ("sleep_methods", .array(abilities.sleepMethods.map(Self.json))),
      ("saves_navigation_data", .bool(abilities.savesNavigationData)),
      ("dumps_navigation_data", .bool(abilities.dumpsNavigationData)),
      ("takes_time", .bool(abilities.acceptsTime)),
      ("takes_position", .bool(abilities.acceptsPosition)),
      ("signal_strengths", .text(signalStrengths)),
      ("settings", .array(settings.map { .string($0) })),
    ]
  }

  private var signalStrengths: String? {
    switch result.signals {
    case .reported: "reported"
    case .toBeRequested: "requested by the daemon"
    case .missing: "not reported"
    case .unknown: nil
    }
  }

  private static func json(_ method: SleepMethod) -> JSONValue {
    let wakes = wakeSources.filter { method.wakes.contains($0.source) }
    return .object([
      ("method", .string(method.rawValue)),
      ("wakes", .array(wakes.map { .string($0.key) })),
      ("longest_s", method.maxDuration.map { .number($0.value) } ?? .null),
      ("keeps_configuration", .bool(method.keepsConfiguration)),
    ])
  }
}
