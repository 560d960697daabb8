import Ports
import Core
import Records

/// Uses NetworkManager where it runs, and another source where it does not. Changes are noticed by
/// the bus's events, without polling.
public final class AutomaticWiFi: EvidencePort {
  public let name = "wifi"
  public var delivery: CoarseDelivery? { .onRequest }

  static let descriptor = EvidenceSourceDescriptor(
    "wifi", WiFiSettings.self,
    // Through the system bus, NetworkManager needs no network access of the daemon.
    networkUse: {
      [.automatic, .nl80211].contains($0.kind) ? "wifi.kind = \"\($0.kind.rawValue)\"" : nil
    },
    examine: { settings in
      // A board without Wi-Fi is no fault unless the settings request it by name.
      guard settings.kind == .automatic,
        case .failure(let error) = WiFiKernelSource.examine(interface: settings.interface)
      else { return nil }
      return [.ok("wifi", error.message)]
    },
    make: { settings in
      switch settings.kind {
      case .automatic:
        AutomaticWiFi(NetworkManagerSource(settings)) {
          WiFiKernelSource(interface: settings.interface)
        }
      case .networkManager: NetworkManagerSource(settings)
      case .nl80211: WiFiKernelSource(interface: settings.interface)
      case .none: nil
      }
    })

  private let networkManager: NetworkManagerSource
  private let makeFallback: () -> (any EvidencePort)?
  /// While NetworkManager is absent.
  private var fallback: (any EvidencePort)?
  private var joint: JointInterest?
  private var hasSwitched = 0
  private var isRequested = false

  /// - Parameter fallback: makes the source that is used without NetworkManager; nil: there is
  ///   none, and NetworkManager is awaited, which is reported.
  public init(
    _ networkManager: NetworkManagerSource, fallback: @escaping () -> (any EvidencePort)?
  ) {
    self.networkManager = networkManager
    makeFallback = fallback
  }

  public var energy: Joules { networkManager.energy }
  public var readCount: Int { networkManager.readCount + (fallback?.readCount ?? 0) }

  public var interest: Interest? {
    // Both count their own openings: after a switch the number differs in any case.
    let opening = hasSwitched << 32
    guard let fallback else {
      var interest = networkManager.interest
      interest?.opening += opening
      return interest
    }
    guard let joint else { return fallback.interest }
    return Interest(joint.descriptor, opening: opening)
  }

  public var due: BootInstant? { .earlier(networkManager.due, fallback?.due) }

  public func request() throws(PortError) {
    defer { join() }
    if let fallback { return try fallback.request() }
    isRequested = networkManager.isAbsent == nil
    try networkManager.request()
  }

  public func poll() throws(PortError) -> Evidence? {
    defer { join() }
    let result: Result<Evidence?, PortError>
    do {
      result = .success(try networkManager.poll())
    } catch {
      result = .failure(error)
    }
    guard networkManager.isAbsent == true else {
      if networkManager.isAbsent == false, fallback != nil {
        fallback = nil
        hasSwitched += 1
      }
      return try result.get()
    }
    if fallback == nil { try replace() }
    // With a fallback, the absence of NetworkManager is no failure.
    guard let fallback else { return try result.get() }
    return evidence(of: fallback)
  }

  /// With automatic selection a board without Wi-Fi is no fault.
  private func evidence(of fallback: any EvidencePort) -> Evidence? {
    do {
      return try fallback.poll()
    } catch {
      return nil
    }
  }

  private func replace() throws(PortError) {
    guard let made = makeFallback() else { return }
    fallback = made
    hasSwitched += 1
    networkManager.cancelRequest()
    // A scan may still be wanted.
    if isRequested { try made.request() }
    isRequested = false
  }

  /// Both are awaited: the fallback for evidence, NetworkManager for its return.
  private func join() {
    guard let fallback else { return joint = nil }
    joint = joint ?? JointInterest()
    joint?.update([networkManager.interest, fallback.interest].compactMap { $0 })
  }
}
