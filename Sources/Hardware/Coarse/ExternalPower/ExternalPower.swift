import Platform
import Ports
import GNSS
import Core
import Records

/// Whether something other than the battery supplies the board, as a source of evidence: reported
/// when first known, when it changes, and anew after it could not be read for a while.
///
/// A contact bounces, and a starter motor pulls a vehicle's supply down: after an edge the line is
/// disabled, and its level is read when it has settled. If it changes again at once, the pause is
/// longer.
public final class ExternalPower: EvidencePort {
  /// The tracker's name for this source.
  public let name = "ignition"

  private let now: () -> BootInstant
  private let request: () throws(PortError) -> any LevelInput
  private var input: (any LevelInput)?
  private var schedule = EdgeListeningSchedule()
  private var debounceDelay = DebounceDelay()
  private var absence = RetryState()
  private var openings = 0
  /// The last reported state; nil: none since it was last opened.
  private var lastReportedState: Bool?

  /// Nil if the settings name no source for it. It is requested when the loop first serves it.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - system: where sysfs is.
  public convenience init?(
    _ settings: ExternalPowerSettings, devices: String = "/dev", system: String = "/sys"
  ) {
    if let search = settings.lineSearch(devices) {
      self.init { () throws(PortError) in try search.request() }
    } else if let supply = settings.supply {
      self.init { () throws(PortError) in try SupplyDevice(supply, system: system) }
    } else {
      return nil
    }
  }

  init(
    now: @escaping () -> BootInstant = { BootClock.now },
    request: @escaping () throws(PortError) -> any LevelInput
  ) {
    self.now = now
    self.request = request
  }

  static let descriptor = EvidenceSourceDescriptor(
    "external_power", ExternalPowerSettings.self,
    examine: { settings in finding(settings).map { [$0] } ?? [] }, make: { ExternalPower($0) })

  /// Whether the state of the supply can be read: no line is requested.
  /// - Parameters:
  ///   - devices: the folder of the devices.
  ///   - sysfs: the mount point of sysfs.
  /// - Returns: nil: the settings name no source.
  public static func finding(
    _ settings: ExternalPowerSettings, devices: String = "/dev", sysfs: String = "/sys"
  ) -> Finding? {
    let part = descriptor.name
    if let search = settings.lineSearch(devices) {
      return search.examine().finding(part, written: settings.line?.text ?? "")
    }
    guard let supply = settings.supply else { return nil }
    do throws(PortError) {
      let isOn = try SupplyDevice(supply, system: sysfs).isActive()
      return .ok(part, "\(supply) is \(isOn ? "online" : "offline")")
    } catch {
      return .fail(part, error.message)
    }
  }

  public var interest: Interest? {
    guard let input, schedule.listeningSince != nil else { return nil }
    return Interest(input.descriptor, opening: openings)
  }

  public var due: BootInstant? { schedule.due }

  public func poll() throws(PortError) -> Evidence? {
    let now = now()
    do {
      switch schedule.task(at: now) {
      case nil: return nil
      case .open:
        input = try request()
        absence.ended(at: now)
        lastReportedState = nil
        return try news(at: now)
      case .listen:
        try input?.enable()
        return try news(at: now)
      case .take:
        guard let input, try input.readEvents() > 0 else { return nil }
        let quiet = schedule.listeningSince.map { now - $0 } ?? .zero
        schedule.rests(until: now + debounceDelay.next(after: quiet))
        try input.disable()
      }
    } catch {
      input = nil
      let (next, isNews) = absence.failed(error, at: now)
      schedule.lost(until: next)
      if isNews { throw error }
    }
    return nil
  }

  /// Reads after listening has begun, so that each later change gives an edge.
  private func news(at now: BootInstant) throws(PortError) -> Evidence? {
    openings += 1
    schedule.listens(at: now)
    guard let isOn = try input?.isActive(), isOn != lastReportedState else { return nil }
    lastReportedState = isOn
    return .ignition(isOn: isOn)
  }
}

extension ExternalPowerSettings {
  func lineSearch(_ devices: String) -> EdgeLineSearch? {
    line.map { EdgeLineSearch(setting: "external_power.line", line: $0, devices: devices) }
  }
}
