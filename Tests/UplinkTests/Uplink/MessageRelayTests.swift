import Messaging
import Delivery
import Core
import Places
import Ports
import Records
import Runtime
import Store
import TestSupport
import Testing

@testable import Uplink

@Suite struct MessageRelayTests {
  /// Accepts all deliveries, unless it is not running.
  private final class Daemon: DaemonPort {
    var runs = false
    var address = "anna"
    private(set) var taken: [PeerMessageDelivery] = []

    func query(_ request: JSONValue) throws(PortError) -> JSONValue {
      guard runs else { throw PortError("nobody answers") }
      if request == ControlRequest.status.json {
        return .object([("people", .object([("address", .string(address))]))])
      }
      if let mail = PeerMessageDelivery(request) { taken.append(mail) }
      return .object([])
    }
  }

  @Test("a broker's data loss is reported at the next connection, if the daemon was away")
  func forgotten() throws {
    let folder = try ScratchFolder()
    let path = folder.file("anna.gpkg")
    try GeoPackageStore(path: path, mark: 1, keepsChangeLog: true).close()
    let daemon = Daemon()
    let transport = MessageRelay(
      of: try PersonAddress("anna"), try StoreReader(path: path), daemon,
      privacy: { nil }, onLog: { _ in })
    transport.begin()
    transport.forgotten()
    #expect(!transport.handOver())
    daemon.runs = true
    transport.begin()
    #expect(transport.handOver())
    #expect(daemon.taken == [PeerMessageDelivery(isForgotten: true)])
    transport.begin()
    #expect(!transport.handOver(), "once is enough")
  }

  @Test("only the daemon's own person gets messages; others are reported once")
  func another() throws {
    let folder = try ScratchFolder()
    let path = folder.file("anna.gpkg")
    try GeoPackageStore(path: path, mark: 1, keepsChangeLog: true).close()
    let daemon = Daemon()
    var log: [String] = []
    let transport = MessageRelay(
      of: try PersonAddress("anna"), try StoreReader(path: path), daemon,
      privacy: { nil }, onLog: { log.append($0.reason) })
    func listens() -> Bool {
      transport.begin()
      return !transport.newTopics().isEmpty
    }
    #expect(listens(), "without a daemon the settings count")
    daemon.runs = true
    daemon.address = "ada"
    #expect(!listens() && !listens() && !transport.hasPending)
    #expect(log.count == 1 && log[0].contains("ada in the running daemon; restart"), "\(log)")
    daemon.address = "anna"
    #expect(listens())
  }

  // MARK: Privacy

  private static let home = Coordinate(latitude: 52.1, longitude: 5.2)
  private static let date = UTCInstant(seconds: 1_900_000_000)

  /// The messages that leave a guide's board whose open group was published from home.
  private func published(
    _ privacy: PrivacyFilter?, in folder: ScratchFolder, then away: Metres? = nil
  ) throws -> [(topic: String, group: Group?)] {
    let me = try PersonAddress("anna")
    let store = try GeoPackageStore(path: folder.file("anna.gpkg"), mark: 1, keepsChangeLog: true)
    let group = try Group(
      id: UniqueID(bytes: Array(repeating: 7, count: 16))!, name: "Walk", guide: me, range: 300)
    var events: [(Seconds, MessagingEvent)] = [(0, .guided(group))]
    for (index, way) in [0, away].compactMap(\.self).enumerated() {
      let time = Seconds(Double(index) * 600)
      let position = Sphere.destination(from: Self.home, bearing: 0, distance: way)
      let location = Location(time: Self.date + time, position: position, accuracy: 5)
      events += [(time, .timePassed), (time, .located(location))]
    }
    for (time, event) in events {
      try store.changeMessages { items in
        var messaging = MessagingState(of: me, hasBroker: true, restoring: items)
        return messaging.step(event, at: .boot(time.value), date: Self.date + time).change
      }
    }
    try store.close()
    let transport = MessageRelay(
      of: me, try StoreReader(path: folder.file("anna.gpkg")), Daemon(),
      privacy: { privacy }, onLog: { _ in })
    transport.begin()
    return transport.items(after: 0, atMost: 100).map { item in
      guard case .group(let group) = try? PeerMessage(item.payload) else {
        return (item.topic, nil)
      }
      return (item.topic, group)
    }
  }

  private func isOfArea(_ item: (topic: String, group: Group?)) -> Bool {
    MessageTopic.isOfArea(item.topic)
  }

  private static func privacy(
    _ areas: [PrivateArea] = [], pauses: [UplinkPause] = []
  ) -> PrivacyFilter {
    PrivacyFilter(PrivacySettings(), areas: areas, zone: .utc, pauses: pauses)
  }

  @Test("an open group reveals its guide's position if nothing is private") func open() throws {
    let items = try published(PrivacyFilter.none, in: try ScratchFolder()).filter(isOfArea)
    #expect(!items.isEmpty)
    #expect(
      items.allSatisfy { item in
        item.group?.foundAt.map { Sphere.distance($0, Self.home) < 1 } == true
      })
  }

  @Test("an open group reveals neither a private place of its guide nor a pause")
  func privately() throws {
    let place = try Place(
      id: try #require(PlaceID("0f8fad5b-d9cb-469f-a165-70867728950e")),
      PlaceDetails(
        name: "Home", location: .fixed(Self.home), perimeter: .circle(radius: 50),
        owner: "anna"))
    let area = try #require(PrivateArea(place, margin: 200))
    let atHome = Self.privacy([area])
    let pause = UplinkPause(from: Self.date - 60, to: Self.date + 300)
    let paused = Self.privacy(pauses: [pause])
    for privacy in [atHome, paused, nil] {
      let items = try published(privacy, in: try ScratchFolder())
      #expect(!items.contains(where: isOfArea))
      #expect(items.allSatisfy { $0.group?.foundAt == nil })
      // The removal of the first area waits, too: it reveals where the guide has gone.
      let later = try published(privacy, in: try ScratchFolder(), then: 3000)
      #expect(later.contains(where: isOfArea) == (privacy != nil))
      #expect(
        later.allSatisfy { item in
          item.group?.foundAt.map { Sphere.distance($0, Self.home) > 2900 } ?? true
        })
    }
  }

  @Test("with rounded positions an open group is published without its guide's position")
  func rounded() throws {
    let settings = try UplinkSettingsText.read("[uplink.privacy]\nround_m = 1000")
    let privacy = PrivacyFilter(settings.privacy, areas: [], zone: .utc, pauses: [])
    let items = try published(privacy, in: try ScratchFolder())
    #expect(items.contains(where: isOfArea))
    let groups = items.compactMap(\.group)
    #expect(!groups.isEmpty && groups.allSatisfy { $0.foundAt == nil })
  }
}
