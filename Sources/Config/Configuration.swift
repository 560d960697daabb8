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
/// built-in defaults, board files, settings file, command line.
public struct Configuration: Equatable, Sendable {
  public private(set) var settings = Settings()
  private var origins: [String: Origin] = [:]

  /// The built-in defaults.
  public init() {}

  /// - Parameters:
  ///   - boards: what is wired how; see `compose` for what happens when they disagree.
  ///   - assignments: `section.key=value`, as given with `--set`.
  /// - Throws: everything that is wrong with all the layers, not only the first thing.
  public init(
    boards: [SettingsFile] = [], settings file: SettingsFile? = nil, assignments: [String] = []
  ) throws(SettingsError) {
    var problems: [SettingProblem] = []
    let boards = boards.map { SettingsLayer($0, role: .board, &problems) }
    var stronger = file.map { [SettingsLayer($0, role: .settings, &problems)] } ?? []
    stronger.append(SettingsLayer(options: assignments, &problems))
    let own = stronger.flatMap(\.assignments)
    let decided = Set(own.map(\.setting.key))
    for assignment in Self.compose(boards, decided: decided, &problems) + own {
      set(assignment, &problems)
    }
    if problems.isEmpty { problems = contradictions }
    guard problems.isEmpty else { throw SettingsError(problems: problems) }
  }

  public func origin(of setting: Setting) -> Origin { origins[setting.key] ?? .builtIn }

  mutating func set(_ assignment: SettingsLayer.Assignment, _ problems: inout [SettingProblem]) {
    let setting = assignment.setting
    do throws(Setting.Mismatch) {
      try setting.read(assignment.value, &settings)
      origins[setting.key] = assignment.origin
    } catch {
      problems.append(
        SettingProblem(
          place: assignment.origin.description, message: "\(setting.key) \(error.reason)"))
    }
  }

  /// Values that are fine alone but not together.
  private var contradictions: [SettingProblem] {
    let pairs = [
      ("acquisition.shortest_timeout_s", "acquisition.timeout_s"),
      ("acquisition.first_back_off_s", "acquisition.longest_back_off_s"),
      ("dwell.rest_radius_m", "dwell.leave_radius_m"),
      ("policy.hybrid.slu_interval_s", "policy.hybrid.longest_slu_interval_s"),
    ]
    return receiverContradictions + powerSwitchContradictions + powerMonitorContradictions
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
