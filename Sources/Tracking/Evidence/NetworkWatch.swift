import Geodesy
import Quantities

/// What the network tells that the board is joined to: as long as it is the same one, and not one
/// that travels along, the board is still where it was.
struct NetworkWatch: Sendable {
  private static let maxKnown = 64
  /// An access point reaches so far.
  private static let reach: Metres = 150

  private struct Known: Hashable, Sendable {
    var trust = SourceTrust(required: 2)
    var place: Coordinate?
    var lastUsed = 0
  }

  private var known: [String: Known] = [:]
  private var uses = 0
  private(set) var joined: (name: String, since: BootInstant)?
  /// Where the board was first located while it was joined.
  private var locatedWhileJoined: Coordinate?

  /// Whether leaving it will tell that the board leaves.
  var isTrusted: Bool { joined.flatMap { known[$0.name]?.trust.isTrusted } ?? false }
  /// Where the network is that the board is joined to, if that was learnt.
  var place: Coordinate? { isTrusted ? joined.flatMap { known[$0.name]?.place } : nil }

  mutating func joined(_ name: String?, at now: BootInstant) {
    locatedWhileJoined = nil
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

  mutating func located(at position: Coordinate, accuracy: Metres) {
    guard let name = joined?.name else { return }
    let slack = Self.reach + accuracy
    if let before = locatedWhileJoined, Sphere.distance(before, position) > slack {
      known[name]?.trust.contradict()
      known[name]?.place = nil
      locatedWhileJoined = position
      return
    }
    locatedWhileJoined = locatedWhileJoined ?? position
    known[name]?.trust.confirm()
    known[name]?.place = position
  }

  /// A look that found no sky does not contradict it.
  mutating func notContradicted() {
    if let name = joined?.name { known[name]?.trust.confirm() }
  }
}
