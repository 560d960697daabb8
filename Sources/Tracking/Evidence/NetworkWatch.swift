import Core
import Records

/// The joined network as evidence: as long as it is the same one, and not one that travels along,
/// the board is still where it was.
struct NetworkWatch: Sendable {
  private static let maxKnown = 64
  /// The range of an access point.
  private static let reach: Metres = 150
  /// Beyond this distance the network has moved with the board: it stays joined for half a minute
  /// after a departure (docs/design/simulation-model.md), which at 30 m/s is 900 m.
  private static let carried: Metres = 1000

  struct Known: Hashable, Sendable {
    var trust = SourceTrust(required: 2)
    var place: Coordinate?
    var lastUsed = 0
  }

  private var known: [String: Known] = [:]
  private var uses = 0
  private(set) var joined: (name: String, since: BootInstant)?
  /// The network that was joined last.
  private var left: String?
  /// Whether the present connection has already confirmed the network.
  private var hasConfirmed = false
  /// Whether leaving the network meant leaving the place.
  private var leaving = AlarmRecord()

  /// Whether leaving the network shows a departure. That must have been observed once: a board
  /// whose own vehicle provides the network never leaves it.
  var isTrusted: Bool { leaving.isTrusted && isKnownWell }

  private var isKnownWell: Bool {
    joined.flatMap { known[$0.name]?.trust.isTrusted } ?? false
  }

  var confirmations: Int {
    known.values.reduce(leaving.right) { $0 + $1.trust.confirmations }
  }
  var contradictions: Int {
    known.values.reduce(leaving.wrong) { $0 + $1.trust.contradictions }
  }

  /// - Returns: whether a fix attempt is needed, at rest or while moving.
  mutating func joined(_ name: String?, isResting: Bool, at now: BootInstant) -> Bool {
    let wasTrusted = isTrusted
    let wasKnownWell = isKnownWell
    join(name, at: now)
    if name == nil { return wasKnownWell && leaving.raise(at: now) && wasTrusted }
    // The network was gone, not the board.
    if name == left { leaving.withdraw() }
    return isTrusted && !isResting
  }

  private mutating func join(_ name: String?, at now: BootInstant) {
    hasConfirmed = false
    left = joined?.name ?? left
    guard let name, !name.isEmpty, name.utf8.count <= CoarseLocationFilter.maxNameLength else {
      joined = nil
      return
    }
    joined = (name, now)
    uses += 1
    known[name, default: Known()].lastUsed = uses
    if known.count > Self.maxKnown,
      let oldest = known.min(by: { $0.value.lastUsed < $1.value.lastUsed })
    {
      known[oldest.key] = nil
    }
  }

  /// The joined network is not known any more.
  mutating func lost() { joined = nil }

  // MARK: Findings of other sources

  mutating func located(at position: Coordinate, accuracy: Metres) {
    guard let name = joined?.name, var network = known[name] else { return }
    let way = network.place.map { Sphere.distance($0, position) } ?? 0
    if way > Self.carried + accuracy {
      network.trust.contradict()
      hasConfirmed = true
      network.place = position
    } else if way <= Self.reach + accuracy {
      confirm(&network)
      network.place = network.place ?? position
    }
    known[name] = network
  }

  /// A fix attempt without signal does not contradict the network. Each one counts, although a bus
  /// may stand in a tunnel: a network is not relied on before a departure from one was confirmed.
  mutating func notContradicted() {
    guard let name = joined?.name, var network = known[name] else { return }
    confirm(&network)
    known[name] = network
  }

  /// A network once found to travel must be joined at one place again and again: a bus stands in
  /// its depot for a night.
  private mutating func confirm(_ network: inout Known) {
    guard !hasConfirmed || network.trust.contradictions == 0 else { return }
    hasConfirmed = true
    network.trust.confirm()
  }

  mutating func moved() { leaving.moved() }

  mutating func stayed(at now: BootInstant) { leaving.stayed(at: now) }
}

// MARK: Over a restart

extension NetworkWatch {
  /// A network with its name, as stored in a snapshot.
  private struct Named: Sendable {
    var name = ""
    var network = Known()
    var place: Coordinate {
      get { network.place ?? Coordinate(latitude: 0, longitude: 0) }
      set { network.place = newValue.isNullIsland ? nil : newValue }
    }

    static let coding = SnapshotFields<Named>([
      .required("name", \.name, .text(1...CoarseLocationFilter.maxNameLength)),
      .position(\.place), .part("trust", \.network.trust, SourceTrust.fields),
    ]).coding(onto: Named())
  }

  /// Least recently used first.
  private var named: JSONValue {
    get {
      .array(
        known.sorted { $0.value.lastUsed < $1.value.lastUsed }
          .map { Named.coding.json(Named(name: $0.key, network: $0.value)) })
    }
    set {
      for var saved in (newValue.array ?? []).compactMap(Named.coding.value).suffix(Self.maxKnown) {
        uses += 1
        saved.network.lastUsed = uses
        known[saved.name] = saved.network
      }
    }
  }

  /// Damaged networks are dropped; of too many, the most recently used are kept.
  static let fields = SnapshotFields<NetworkWatch>([
    .kept("known", \.named, .json), .part("leaving", \.leaving, AlarmRecord.fields),
  ])
}
