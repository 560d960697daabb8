import Glibc
import Platform
import Ports
import Core
import Records

/// The network that the board is joined to, from the kernel: a Wi-Fi access point's address, else
/// that of the gateway. Nothing is sent; without a change there are no notices and no wakes.
public final class NetworkSource: EvidencePort {
  /// The tracker's name for this source.
  public let name = "network"
  /// One change gives several notices: the carrier, the join, addresses, routes.
  static let settling = Seconds(0.5)
  /// Continuing changes are queried less and less often.
  static let maxSettling = Seconds(16)
  /// If the last query is this long ago, the next one follows a notice soon again.
  static let calm = Seconds(20)
  /// A loss is reported after this time. A station that roams or has lost its access point scans
  /// all channels before it joins the next one, 3 to 8 s, and a gateway's address is known as soon
  /// as anything is sent to it. The departure of the board is reported some seconds late, after the
  /// half a minute in which the radio is in range anyway.
  static let lossDelay = Seconds(10)
  /// While the address of an unused gateway is awaited, notices about neighbours are read at most
  /// so often.
  static let neighbourInterval = Seconds(30)
  static let firstRetry = Seconds(5)
  static let maxRetry = Seconds(300)

  private let now: () -> BootInstant
  private let open: () throws(NetlinkRefusal) -> any NetworkKernel
  private var kernel: (any NetworkKernel)?
  private var openings = 0
  private var nextOpening = BootInstant.zero
  private var retry = NetworkSource.firstRetry
  private var nextQuery: BootInstant?
  private var lastQuery: BootInstant?
  private var settling = NetworkSource.settling
  private var nextReading: BootInstant?
  /// Nil: nothing reported yet.
  private var reported: String??
  private var pending: (name: String?, at: BootInstant)?
  /// The last reported failure.
  private var failure: PortError?
  public private(set) var readCount = 0

  static let descriptor = EvidenceSourceDescriptor(
    "network", NetworkSettings.self,
    networkUse: { $0.kind == .none ? nil : "network.kind = \"\($0.kind.rawValue)\"" },
    examine: { settings in
      switch examine(settings) {
      case nil: []
      case .success(let text): [.ok("network", text)]
      // The receiver works without it.
      case .failure(let error): [.warn("network", error.message)]
      }
    }, make: { NetworkSource($0) })

  /// Nil if the settings switch it off.
  public convenience init?(_ settings: NetworkSettings) {
    guard settings.kind == .netlink else { return nil }
    let interface = settings.interface
    self.init(now: { BootClock.now }) { () throws(NetlinkRefusal) in
      do throws(SystemError) { return try KernelNetwork(interface: interface) } catch {
        throw NetlinkRefusal(error)
      }
    }
  }

  init(
    now: @escaping () -> BootInstant,
    open: @escaping () throws(NetlinkRefusal) -> any NetworkKernel
  ) {
    self.now = now
    self.open = open
  }

  public var interest: Interest? {
    kernel.map {
      Interest($0.descriptor, opening: openings, reads: nextQuery == nil && nextReading == nil)
    }
  }

  public var due: BootInstant? {
    guard kernel != nil else { return nextOpening }
    return [nextQuery, pending?.at, nextReading].compactMap { $0 }.min()
  }

  public func poll() throws(PortError) -> Evidence? {
    let now = now()
    do {
      if kernel == nil {
        guard now >= nextOpening else { return nil }
        kernel = try open()
        openings += 1
        nextQuery = now
      }
      try readNotices(at: now)
      if let at = nextQuery, now >= at { try query(at: now) }
    } catch {
      try fail(error, at: now)
      return nil
    }
    guard let pending, now >= pending.at else { return nil }
    self.pending = nil
    reported = pending.name
    return .network(pending.name)
  }

  // MARK: Notices, and the query after they have settled

  private func readNotices(at now: BootInstant) throws(NetlinkRefusal) {
    guard let kernel, nextQuery == nil else { return }
    if let deaf = nextReading {
      guard now >= deaf else { return }
      nextReading = nil
    }
    let news = try kernel.readNotices()
    readCount += news.count
    if news.matters {
      let isCalm = lastQuery.map { now - $0 >= Self.calm } ?? true
      settling = isCalm ? Self.settling : min(settling * 2, Self.maxSettling)
      nextQuery = now + settling
    } else if news.count > 0, kernel.receivesNeighbours, pending == nil {
      nextReading = now + Self.neighbourInterval
    }
  }

  private func query(at now: BootInstant) throws(NetlinkRefusal) {
    guard let kernel else { return }
    // The query covers all notices up to here.
    readCount += try kernel.readNotices().count
    let view = try kernel.currentView()
    nextQuery = nil
    lastQuery = now
    failure = nil
    retry = Self.firstRetry
    kernel.receivesNeighbours = !view.awaited.isEmpty
    let name = view.name?.text
    if reported == .some(name) {
      pending = nil
    } else if name != nil, view.awaited.isEmpty {
      pending = (name, now)
    } else {
      pending = (name, pending?.at ?? now + Self.lossDelay)
    }
  }

  // MARK: Failures

  /// - Throws: an error that is not reported yet.
  private func fail(_ refusal: NetlinkRefusal, at now: BootInstant) throws(PortError) {
    kernel = nil
    nextQuery = nil
    nextReading = nil
    // Which network is joined is unknown now, so a pending report is dropped.
    pending = nil
    nextOpening = now + retry
    retry = min(retry * 2, Self.maxRetry)
    let error = Self.explain(refusal)
    guard error != failure else { return }
    failure = error
    throw error
  }

  private static func explain(_ refusal: NetlinkRefusal) -> PortError {
    switch refusal.error.code {
    case EPROTONOSUPPORT, EAFNOSUPPORT:
      PortError(
        "this process may not use netlink (\(refusal.text)): in its service unit add AF_NETLINK to "
          + "RestrictAddressFamilies, or set network.kind = \"none\"")
    default:
      PortError(
        "the kernel does not report the joined network (\(refusal.text)); it is queried again "
          + "within five minutes")
    }
  }

  /// The network that the board is joined to now, as text for people. Nil if the settings switch it
  /// off.
  public static func examine(_ settings: NetworkSettings) -> Result<String, PortError>? {
    guard settings.kind == .netlink else { return nil }
    do throws(NetlinkRefusal) {
      let kernel: KernelNetwork
      do { kernel = try KernelNetwork(interface: settings.interface) } catch {
        throw NetlinkRefusal(error)
      }
      let view = try kernel.currentView()
      if let name = view.name { return .success("joined to \(name.text)") }
      return .success(
        view.awaited.isEmpty
          ? "joined to none, or to none that can be distinguished from others"
          : "joined, but nothing was sent to the gateway yet, so its address is unknown")
    } catch {
      return .failure(explain(error))
    }
  }
}
