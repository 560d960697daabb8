import Glibc
import Platform
import Ports
import Core
import Records

/// What the board is joined to, as the kernel tells it: a Wi-Fi access point's address, else that
/// of the gateway. Nobody is asked for it and nothing is sent; a board that stays has no news, and
/// does not wake for any.
public final class NetworkSource: EvidencePort {
  /// By which the tracker knows it.
  public let name = "network"
  /// One change is told as several: the carrier, the join, addresses, routes.
  static let settling = Seconds(0.5)
  /// Changes that go on are looked at less and less often.
  static let maxSettling = Seconds(16)
  /// A look with no news for so long before it is followed by one that is soon.
  static let calm = Seconds(20)
  /// A loss is told when it has lasted that long. A station that roams or has lost its access point
  /// scans all channels before it joins the next one, 3 to 8 s, and a gateway's address is known as
  /// soon as anything is sent to it. A board that leaves learns of it some seconds late, after the
  /// half a minute that the radio reaches anyway.
  static let patience = Seconds(10)
  /// When a gateway whose address nobody asks for is waited for, its neighbours' chatter is not
  /// heard more often.
  static let deafness = Seconds(30)
  static let firstRetry = Seconds(5)
  static let maxRetry = Seconds(300)

  private let now: () -> BootInstant
  private let open: () throws(NetlinkRefusal) -> any NetworkKernel
  private var kernel: (any NetworkKernel)?
  private var openings = 0
  private var nextOpening = BootInstant.zero
  private var retry = NetworkSource.firstRetry
  private var nextLook: BootInstant?
  private var lastLook: BootInstant?
  private var settling = NetworkSource.settling
  private var deafUntil: BootInstant?
  /// Nil: nothing yet.
  private var told: String??
  private var pending: (name: String?, at: BootInstant)?
  /// The failure that was told last.
  private var failure: PortError?
  public private(set) var taken = 0

  /// Nil: the settings do not want it.
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
      Interest($0.descriptor, opening: openings, reads: nextLook == nil && deafUntil == nil)
    }
  }

  public var due: BootInstant? {
    guard kernel != nil else { return nextOpening }
    return [nextLook, pending?.at, deafUntil].compactMap { $0 }.min()
  }

  public func poll() throws(PortError) -> Evidence? {
    let now = now()
    do {
      if kernel == nil {
        guard now >= nextOpening else { return nil }
        kernel = try open()
        openings += 1
        nextLook = now
      }
      try hear(at: now)
      if let at = nextLook, now >= at { try look(at: now) }
    } catch {
      try fail(error, at: now)
      return nil
    }
    guard let pending, now >= pending.at else { return nil }
    self.pending = nil
    told = pending.name
    return .network(pending.name)
  }

  // MARK: News, and a look when they have settled

  private func hear(at now: BootInstant) throws(NetlinkRefusal) {
    guard let kernel, nextLook == nil else { return }
    if let deaf = deafUntil {
      guard now >= deaf else { return }
      deafUntil = nil
    }
    let news = try kernel.news()
    taken += news.count
    if news.matters {
      let isCalm = lastLook.map { now - $0 >= Self.calm } ?? true
      settling = isCalm ? Self.settling : min(settling * 2, Self.maxSettling)
      nextLook = now + settling
    } else if news.count > 0, kernel.hearsNeighbours, pending == nil {
      deafUntil = now + Self.deafness
    }
  }

  private func look(at now: BootInstant) throws(NetlinkRefusal) {
    guard let kernel else { return }
    // Until here they are part of what is seen.
    taken += try kernel.news().count
    let view = try kernel.look()
    nextLook = nil
    lastLook = now
    failure = nil
    retry = Self.firstRetry
    kernel.hearsNeighbours = !view.awaited.isEmpty
    let name = view.name?.text
    if told == .some(name) {
      pending = nil
    } else if name != nil, view.awaited.isEmpty {
      pending = (name, now)
    } else {
      pending = (name, pending?.at ?? now + Self.patience)
    }
  }

  // MARK: Failures

  /// - Throws: what people do not know yet.
  private func fail(_ refusal: NetlinkRefusal, at now: BootInstant) throws(PortError) {
    kernel = nil
    nextLook = nil
    deafUntil = nil
    // What is joined is not known any more; that it is joined to none is not known either.
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
        "the kernel does not tell what the board is joined to (\(refusal.text)); it is asked again "
          + "within five minutes")
    }
  }

  /// What the board is joined to now, for people. Nil: the settings do not want to know.
  public static func examine(_ settings: NetworkSettings) -> Result<String, PortError>? {
    guard settings.kind == .netlink else { return nil }
    do throws(NetlinkRefusal) {
      let kernel: KernelNetwork
      do { kernel = try KernelNetwork(interface: settings.interface) } catch {
        throw NetlinkRefusal(error)
      }
      let view = try kernel.look()
      if let name = view.name { return .success("joined to \(name.text)") }
      return .success(
        view.awaited.isEmpty
          ? "joined to none, or to none that can be told from others"
          : "joined, but nothing was sent to the gateway yet, so its address is not known")
    } catch {
      return .failure(explain(error))
    }
  }
}
