import CNetlink
import Glibc
import Platform
import Ports
import Core
import Records

/// The access points in range, from the kernel's cache of other programs' scans, for systems
/// without NetworkManager. It needs no privilege and never scans itself, because that would need
/// CAP_NET_ADMIN.
///
/// A kernel without Wi-Fi is reported once; the controller of generic netlink reports when Wi-Fi
/// appears.
public final class WiFiKernelSource: EvidencePort {
  public let name = "wifi"
  public var delivery: CoarseDelivery? { .onRequest }
  /// Unrequested results are reported at most so often: some programs scan every few seconds.
  static let shortestPause = Seconds(60)
  /// The kernel forgets entries of this age (IEEE80211_SCAN_RESULT_EXPIRE).
  static let cacheTime = Seconds(30)
  static let retry = Seconds(300)

  private let interface: String?
  private let now: () -> BootInstant
  private var listener: NetlinkListener?
  private var openings = 0
  private var nextOpening = BootInstant.zero
  private var kernel: WirelessKernel?
  private var isRequested = false
  /// The results of a scan are not reported yet.
  private var hasUnreportedScan = false
  /// Its results, which the kernel forgets before they may be reported.
  private var held: (scan: AccessPointScan, at: BootInstant)?
  private var lastScan: BootInstant?
  private var lastReport: BootInstant?
  private var failure: PortError?
  public private(set) var readCount = 0

  /// - Parameter interface: nil: the first one found.
  public convenience init(interface: String?) {
    self.init(interface: interface, now: { BootClock.now })
  }

  init(interface: String?, now: @escaping () -> BootInstant) {
    self.interface = interface
    self.now = now
  }

  public var interest: Interest? {
    listener.map { Interest($0.descriptor, opening: openings, reads: !hasUnreportedScan) }
  }

  public var due: BootInstant? {
    guard listener != nil else { return nextOpening }
    if isRequested { return .zero }
    guard hasUnreportedScan else { return nil }
    return lastReport.map { $0 + Self.shortestPause } ?? .zero
  }

  public func request() { isRequested = true }

  public func poll() throws(PortError) -> Evidence? {
    let now = now()
    do {
      if listener == nil {
        guard now >= nextOpening else { return nil }
        try open()
      }
      try readNotices(at: now)
      let isDue = hasUnreportedScan && lastReport.map { now >= $0 + Self.shortestPause } ?? true
      guard isRequested || isDue else {
        if hasUnreportedScan, held == nil { held = try query(at: now).map { ($0, now) } }
        return nil
      }
      isRequested = false
      hasUnreportedScan = false
      defer { held = nil }
      guard let scan = try query(at: now) ?? remembered(at: now) else { return nil }
      lastReport = now
      failure = nil
      return .accessPoints(scan)
    } catch {
      isRequested = false
      hasUnreportedScan = false
      try fail(error, at: now)
      return nil
    }
  }

  // MARK: Notices from the kernel

  private func open() throws(NetlinkRefusal) {
    do { listener = try NetlinkListener(.generic, groups: [GenericFamily.arrivals]) } catch {
      throw NetlinkRefusal(error)
    }
    openings += 1
    try find()
  }

  private func find() throws(NetlinkRefusal) {
    kernel = try WirelessKernel.present()
    guard let kernel, let group = kernel.group("scan") else {
      throw NetlinkRefusal(SystemError(code: ENOENT))
    }
    do { try listener?.join(group) } catch { throw NetlinkRefusal(error) }
  }

  private func readNotices(at now: BootInstant) throws(NetlinkRefusal) {
    var hasArrival = false
    let number = kernel?.family.number
    var hasScanned = false
    do {
      let news = try listener?.read { message in
        guard let (header, _) = message.split(genlmsghdr.self) else { return }
        if message.type == UInt16(NLMSG_MIN_TYPE) {
          hasArrival = hasArrival || Int(header.cmd) == Int(CTRL_CMD_NEWFAMILY)
        } else if message.type == number {
          hasScanned =
            hasScanned || UInt32(header.cmd) == NL80211_CMD_NEW_SCAN_RESULTS.rawValue
        }
      }
      readCount += news?.datagrams ?? 0
      // Any of these may have been lost.
      if news?.hasLost ?? false { hasArrival = true }
    } catch {
      throw NetlinkRefusal(error)
    }
    if hasScanned {
      lastScan = now
      hasUnreportedScan = true
    }
    if hasArrival { try find() }
  }

  private func query(at now: BootInstant) throws(NetlinkRefusal) -> AccessPointScan? {
    guard let kernel else { return nil }
    let hasJustScanned = lastScan.map { now - $0 < Self.cacheTime } ?? false
    return try Self.cached(kernel, interface, at: now).scan.result(hasJustScanned: hasJustScanned)
  }

  /// The kernel's cache, and the interface that it belongs to.
  private static func cached(
    _ kernel: WirelessKernel, _ interface: String?, at now: BootInstant
  ) throws(NetlinkRefusal) -> (station: WirelessInterface, scan: CachedScan) {
    let stations = try kernel.stations()
    guard let station = stations.first(where: { interface == nil || $0.name == interface })
    else { throw NetlinkRefusal(SystemError(code: ENODEV)) }
    let scan = try kernel.cachedScan(on: station.index, from: CachedScan()) { scan, message in
      if let one = ScannedAccessPoint(message, at: now) { scan.add(one) }
    }
    return (station, scan)
  }

  private func remembered(at now: BootInstant) -> AccessPointScan? {
    held.map { AccessPointScan($0.scan.signals, age: $0.scan.age + (now - $0.at)) }
  }

  // MARK: Failures

  /// - Throws: an error that is not reported yet.
  private func fail(_ refusal: NetlinkRefusal, at now: BootInstant) throws(PortError) {
    let error = Self.explain(refusal, interface)
    switch refusal.error.code {
    // The listener receives a notice when that changes, or at the next scan.
    case ENOENT where listener != nil, ENODEV where listener != nil: break
    default:
      listener = nil
      nextOpening = now + Self.retry
    }
    guard error != failure else { return }
    failure = error
    throw error
  }

  private static func explain(_ refusal: NetlinkRefusal, _ interface: String?) -> PortError {
    switch refusal.error.code {
    case ENOENT:
      PortError(
        "this kernel has no Wi-Fi (nl80211) at present; it is used as soon as a driver adds one. "
          + "Without Wi-Fi on the board set wifi.kind = \"none\"")
    case ENODEV:
      if let interface {
        PortError(
          "wifi.interface = \"\(interface)\": there is no such Wi-Fi station; \"iw dev\" lists "
            + "them. It is searched again at the next scan")
      } else {
        PortError(
          "there is no Wi-Fi interface that joins networks; it is searched again at the next scan"
        )
      }
    case EPROTONOSUPPORT, EAFNOSUPPORT:
      PortError(
        "this kernel has no generic netlink (\(refusal.text)): set wifi.kind = \"none\". Where a "
          + "service unit forbids it, add AF_NETLINK to RestrictAddressFamilies")
    default:
      PortError(
        "the kernel does not list its access points (\(refusal.text)); it is queried "
          + "again within five minutes")
    }
  }

  /// The present state, as text for people: which interface, how many access points and how old.
  /// - Parameter interface: nil: the first one found.
  public static func examine(interface: String?) -> Result<String, PortError> {
    do throws(NetlinkRefusal) {
      guard let kernel = try WirelessKernel.present() else {
        throw NetlinkRefusal(SystemError(code: ENOENT))
      }
      let (station, scan) = try cached(kernel, interface, at: BootClock.now)
      guard let result = scan.result(hasJustScanned: false) else {
        return .success(
          "\(station.name): no scan in the last 30 s; scans of other programs are used when they "
            + "arrive")
      }
      return .success(
        "\(station.name): \(result.signals.count) usable access points, received "
          + "\(Int(result.age.value.rounded())) s ago")
    } catch {
      return .failure(explain(error, interface))
    }
  }
}
