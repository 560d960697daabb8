import Notation

/// A settings or board file that somebody has read: its name for messages, and its bytes.
public struct SettingsFile: Sendable {
  public let name: String
  public let bytes: [UInt8]

  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// The settings after all layers were merged, with the origin of every value. Later layers win:
/// built-in defaults, board file, settings file, command line.
public struct Configuration: Equatable, Sendable {
  public private(set) var settings = Settings()
  private var origins: [String: Origin] = [:]

  /// The built-in defaults.
  public init() {}

  /// - Parameter assignments: `section.key=value`, as given with `--set`.
  /// - Throws: everything that is wrong with all the layers, not only the first thing.
  public init(
    board: SettingsFile? = nil, settings file: SettingsFile? = nil, assignments: [String] = []
  ) throws(SettingsError) {
    var problems: [SettingProblem] = []
    for file in [board, file].compactMap({ $0 }) { apply(file, &problems) }
    for assignment in assignments { apply(assignment: assignment, &problems) }
    if problems.isEmpty { problems = contradictions }
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
  }

  public func origin(of setting: Setting) -> Origin { origins[setting.key] ?? .builtIn }

  private mutating func apply(_ file: SettingsFile, _ problems: inout [SettingProblem]) {
    do throws(TOMLError) {
      let table = try TOMLParser.parse(file.bytes, file: file.name)
      apply(table, path: "", file: file.name, &problems)
    } catch {
      let place = "\(error.file):\(error.line):\(error.column)"
      problems.append(
        SettingProblem(
          place: place, message: "found \(error.found), expected \(error.expected)"))
    }
  }

  private mutating func apply(
    _ table: TOMLTable, path: String, file: String, _ problems: inout [SettingProblem]
  ) {
    for name in table.keys {
      guard let value = table[name] else { continue }
      let key = path.isEmpty ? name : "\(path).\(name)"
      let origin = Origin.file(name: file, line: value.line)
      if let setting = SettingSection.byKey[key] {
        set(setting, to: value, origin, &problems)
      } else if SettingSection.all.contains(where: { $0.name == key }) {
        guard case .table(let inner) = value.content else {
          let message = "\(key) is \(value.kind); it is a section: write [\(key)]"
          problems.append(SettingProblem(place: origin.description, message: message))
          continue
        }
        apply(inner, path: key, file: file, &problems)
      } else {
        problems.append(Self.unknown(key, at: origin))
      }
    }
  }

  private mutating func apply(assignment: String, _ problems: inout [SettingProblem]) {
    let origin = Origin.commandLine(option: "--set \(assignment)")
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      let message = "write --set section.key=value"
      problems.append(SettingProblem(place: origin.description, message: message))
      return
    }
    guard let setting = SettingSection.byKey[String(parts[0])] else {
      problems.append(Self.unknown(String(parts[0]), at: origin))
      return
    }
    let text = String(parts[1])
    // What is no TOML value is a word without quotes, which shells make hard to type.
    let value =
      (try? TOMLParser.parseValue(text, file: "--set")) ?? TOMLValue(.string(text), line: 1)
    set(setting, to: value, origin, &problems)
  }

  private mutating func set(
    _ setting: Setting, to value: TOMLValue, _ origin: Origin, _ problems: inout [SettingProblem]
  ) {
    do throws(Setting.Mismatch) {
      try setting.read(value, &settings)
      origins[setting.key] = origin
    } catch {
      let message = "\(setting.key) \(error.reason)"
      problems.append(SettingProblem(place: origin.description, message: message))
    }
  }

  private static func unknown(_ key: String, at origin: Origin) -> SettingProblem {
    let sections = SettingSection.all.map(\.name)
    let keys = SettingSection.all.flatMap(\.settings).map(\.key)
    let hint =
      NearestName.suggestion(for: key, among: keys + sections).map { "did you mean \($0)?" }
      ?? "godwit config default lists all settings"
    return SettingProblem(place: origin.description, message: "there is no setting \(key); \(hint)")
  }

  /// Values that are fine alone but not together.
  private var contradictions: [SettingProblem] {
    let pairs = [
      ("acquisition.shortest_timeout_s", "acquisition.timeout_s"),
      ("acquisition.first_back_off_s", "acquisition.longest_back_off_s"),
      ("dwell.rest_radius_m", "dwell.leave_radius_m"),
      ("policy.hybrid.slu_interval_s", "policy.hybrid.longest_slu_interval_s"),
    ]
    return powerSwitchContradictions + powerMonitorContradictions
      + pairs.compactMap { smaller, larger in
        guard let low = SettingSection.byKey[smaller], let high = SettingSection.byKey[larger],
          case .number(let least) = low.value(in: settings),
          case .number(let most) = high.value(in: settings), least > most
        else { return nil }
        let place = origins[smaller] == nil ? origin(of: high) : origin(of: low)
        return SettingProblem(
          place: place.description,
          message: "\(smaller) = \(SettingValue.number(least).toml) must not exceed "
            + "\(larger) = \(SettingValue.number(most).toml)")
      }
  }
}
