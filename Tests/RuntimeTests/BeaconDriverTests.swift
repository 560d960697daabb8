import RadioSignals
import Records
import StoreStandIns
import Core
import Formats
import Places
import Ports
import GNSS
import TestSupport
import Testing
import Tracking

@testable import Runtime

/// Beacons are received while users edit places.
@Suite struct BeaconDriverTests {
  private final class Radio: BeaconRadioPort {
    let name = "radio"
    let interest: Interest? = nil
    let method: BeaconMethod? = .discovery
    let listened: Seconds = 0
    var news: [BeaconRadioEvent] = []
    var readCount = 0
    /// How many devices that are no beacons are reported each time.
    var crowd = 0
    var failure: PortError?

    var due: BootInstant? { news.isEmpty && failure == nil ? nil : .zero }
    func listen(for regions: [BeaconRegion]) {}
    func scan(_ isOn: Bool) {}
    func restart() {}
    func dateWasSet() {}
    func next() throws(PortError) -> BeaconRadioEvent? {
      if let failure { throw failure }
      readCount += crowd
      return news.isEmpty ? nil : news.removeFirst()
    }
  }

  /// Stores the places, and records the crossings.
  private final class PlaceStore: EmptyStore {
    override var name: String { "places" }
    var all: [Place] = []
    var mark: Int64 = 0
    var crossings: [String] = []

    override func write(_ records: [Record]) {
      for case .crossing(let crossing) in records {
        crossings.append("\(crossing.change.rawValue) \(crossing.placeName)")
      }
    }

    override func placesWithBeacons(atMost most: Int, _ take: (PlaceRow) -> Void) -> PlaceReading {
      for place in all where !place.beacons.isEmpty { take(PlaceRow(place)) }
      return PlaceReading()
    }

    override func places(
      near box: GeographicBox, atMost most: Int, _ take: (PlaceRow) -> Void
    ) -> PlaceReading {
      for place in all { take(PlaceRow(place)) }
      return PlaceReading()
    }

    override func editMark() -> Int64? { mark }
  }

  private static let owner = UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")!
  private static let centre = Coordinate(latitude: 52, longitude: 5)
  private static let first = region(1)
  private static let second = region(2)

  private static func region(_ minor: UInt16) -> BeaconRegion {
    .iBeacon(uuid: owner, major: 1, minor: minor)
  }

  private let store = PlaceStore()
  private let radio = Radio()
  private let runtime: TrackerRuntime
  private let driver: BeaconDriver

  init() throws {
    var devices = Devices(store: store)
    devices.beaconRadio = radio
    runtime = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(), devices: devices)
    driver = try #require(runtime.places.beacons)
    runtime.systemDate = {
      SystemDate(
        date: UTCInstant(seconds: 1_780_000_000), read: .zero, isSynchronized: true)
    }
    store.all = [try Self.place("shop", Self.first)]
    runtime.start(restoring: nil, at: .boot(1))
    radio.news = [.listening(true)]
    hear(1, at: 10)
  }

  private static func place(
    _ name: String, _ beacons: BeaconRegion..., perimeter: Perimeter = .circle(radius: 30)
  ) throws -> Place {
    var chance = SplitMix(seed: UInt64(name.utf8.count))
    var details = PlaceDetails(
      name: name, location: .fixed(Self.centre),
      perimeter: perimeter, owner: PlaceFileDefaults.ofStore.owner)
    details.beacons = beacons
    return try Place(id: PlaceID.made(using: &chance), details)
  }

  private func hear(_ minor: UInt16, at seconds: Double) {
    let beacon = BeaconIdentity.iBeacon(uuid: Self.owner, major: 1, minor: minor)
    radio.news.append(.received(BeaconFrame(beacon, strengthAtOneMetre: -59), -60))
    runtime.timePassed(at: .boot(seconds))
    runtime.commit(at: .boot(seconds))
  }

  private func edit(_ places: [Place], at seconds: Double) {
    store.all = places
    store.mark += 1
    runtime.handle(runtime.places.edited(at: .boot(seconds)), at: .boot(seconds))
    runtime.commit(at: .boot(seconds))
  }

  @Test("a place whose beacon is replaced while the first is received is left, and entered again")
  func exchanged() throws {
    #expect(store.crossings == ["found shop"])
    edit([try Self.place("shop", Self.second)], at: 12)
    #expect(driver.inside.isEmpty)
    #expect(store.crossings == ["found shop", "left shop"])
    hear(2, at: 14)
    #expect(driver.inside.map(\.name) == ["shop"])
    #expect(store.crossings == ["found shop", "left shop", "entered shop"])
  }

  @Test("so is one that loses its beacon while receiving it, though another place has it now")
  func lost() throws {
    edit([try Self.place("shop"), try Self.place("office", Self.first)], at: 12)
    #expect(driver.inside.map(\.name) == ["office"])
    #expect(store.crossings.sorted() == ["found office", "found shop", "left shop"])
  }

  @Test("a crowd of devices that are no beacons is no stuck descriptor") func crowded() {
    radio.crowd = 5
    #expect(driver.serve(at: .boot(20), isReady: true).isFruitful)
    radio.crowd = 0
    #expect(!driver.serve(at: .boot(20.1), isReady: true).isFruitful)
  }

  @Test("a radio without reception is a failure, until it receives again") func deaf() {
    func faults(at seconds: Double) -> [String] {
      let status = StatusReport(runtime, at: .boot(seconds), started: .boot(1)).json
      return status["faults"]?.array?.compactMap(\.string) ?? []
    }
    let why = "the radio is switched off"
    radio.failure = PortError(why)
    runtime.timePassed(at: .boot(20))
    #expect(faults(at: 20).contains(why))
    radio.failure = nil
    radio.news = [.listening(true)]
    runtime.timePassed(at: .boot(30))
    #expect(!faults(at: 30).contains(why))
  }

  @Test("a place that keeps a received beacon is not left") func kept() throws {
    edit([try Self.place("shop", Self.second, Self.first)], at: 12)
    edit([try Self.place("shop", Self.first)], at: 13)
    #expect(driver.inside.map(\.name) == ["shop"])
    #expect(store.crossings == ["found shop"])
  }

  @Test("near an area's edge the radio scans, and its beacon's accuracy is the area's size")
  func drawn() throws {
    let corners = stride(from: 0.0, to: 360, by: 15).map { bearing in
      Sphere.destination(from: Self.centre, bearing: Degrees(bearing), distance: 1000)
    }
    let area = Perimeter.polygons([PerimeterPolygon(outer: corners + corners.prefix(1))])
    edit([try Self.place("quay", Self.second, perimeter: area)], at: 12)
    func isListening(at distance: Metres, _ seconds: Double) -> Bool {
      let position = Sphere.destination(from: Self.centre, bearing: 90, distance: distance)
      let observation = CoarseObservation(
        received: .boot(seconds), time: nil, position: position, accuracy: 20, source: "beacon")
      runtime.handle([.tracker(.coarse(observation, from: "beacon"))], at: .boot(seconds))
      return driver.isListening
    }
    #expect(!isListening(at: 1700, 200))
    #expect(isListening(at: 1300, 400))
    hear(2, at: 401)
    #expect(driver.inside.map(\.name) == ["quay"])
    let accuracy = try #require(runtime.tracker.sighting.location).accuracy
    #expect(accuracy > 980 && accuracy < 1000)
  }
}
