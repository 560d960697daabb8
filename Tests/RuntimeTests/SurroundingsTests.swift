import Core
import Ports
import RadioSignals
import Records
import Testing
import Tracking

@testable import Runtime

/// A radio map in memory.
private final class MemoryMap: RadioMapPort {
  let name = "memory"
  var failure: PortError?
  var learnt: [Int64: AccessPointPlace] = [:]
  var cells: [Int64: LearntCell] = [:]
  var table: [CellIdentity: CellPlace] = [:]
  private(set) var saves = 0

  func pseudonyms() throws(PortError) -> Pseudonyms {
    if let failure { throw failure }
    return Pseudonyms(salt: Array(1...16))
  }

  func accessPoints(_ pseudonyms: [Int64]) throws(PortError) -> [AccessPointPlace] {
    if let failure { throw failure }
    return pseudonyms.compactMap { learnt[$0] }
  }

  func learntCell(_ pseudonym: Int64) throws(PortError) -> LearntCell? { cells[pseudonym] }

  func tableCell(_ cell: CellIdentity) throws(PortError) -> CellPlace? {
    if let failure { throw failure }
    return table[cell]
  }

  func save(_ accessPoints: [AccessPointPlace], cell: LearntCell?) throws(PortError) {
    if let failure { throw failure }
    saves += 1
    for place in accessPoints { learnt[place.pseudonym] = place }
    if let cell { cells[cell.pseudonym] = cell }
  }

  func close() {}
}

private final class AskedServer: LookUpPort {
  private(set) var scans: [AccessPointScan] = []

  func request(_ scan: AccessPointScan, cell: CellIdentity?) { scans.append(scan) }
}

/// Received evidence on its way to the tracker: pseudonyms, locations, and the learning of the map.
@Suite struct SurroundingsTests {
  private static let home = Coordinate(latitude: 52.09, longitude: 5.12)

  private static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private static func scan(_ names: [String], age: Seconds = 0) -> Evidence {
    .accessPoints(
      AccessPointScan(names.map { AccessPointSignal(bssid: $0, strength: -60) }, age: age))
  }

  private static let neighbours = (1...6).map { "00:11:22:33:44:0\($0)" }

  private static func fix(_ seconds: Double, accuracy: Metres = 5) -> Location {
    Location(
      time: UTCInstant(seconds: 1_780_000_000) + Seconds(seconds), position: home,
      accuracy: accuracy)
  }

  private final class Bench {
    let map = MemoryMap()
    let server = AskedServer()
    var told: [LogEvent] = []
    let surroundings: Surroundings

    init(hides: Bool = true) {
      let log = LogChannel()
      surroundings = Surroundings(map, lookUp: server, hidesIdentifiers: hides, log: log)
      log.sink = { [unowned self] event, _ in told.append(event) }
    }

    func hear(_ evidence: Evidence, _ seconds: Double, from name: String = "wifi") -> [Event] {
      surroundings.events(for: evidence, from: name, at: SurroundingsTests.at(seconds))
    }

    /// The coarse location in the tracker's inputs.
    func locates(_ evidence: Evidence, _ seconds: Double) -> CoarseObservation? {
      for case .coarse(let observation, _) in hear(evidence, seconds) { return observation }
      return nil
    }
  }

  @Test("no identifier of an access point or gateway reaches the tracker")
  func pseudonyms() {
    let bench = Bench()
    for evidence in [Evidence.network(Self.neighbours[0]), Self.scan(Self.neighbours)] {
      for case .evidence(let heard, _) in bench.hear(evidence, 1) {
        #expect(!"\(heard)".contains("00:11:22"))
      }
    }
    guard case .evidence(.network(let first?), _)? = bench.hear(.network("a"), 2).first,
      case .evidence(.network(let again?), _)? = bench.hear(.network("a"), 3).first
    else { return #expect(Bool(false), "it has a name") }
    #expect(first == again && first.utf8.count == 16)
  }

  @Test("with the privacy setting off identifiers are passed on") func clear() {
    let bench = Bench(hides: false)
    guard case .evidence(.network(let name), _)? = bench.hear(.network("a"), 2).first
    else { return #expect(Bool(false), "nothing is told") }
    #expect(name == "a")
  }

  @Test("a scan of learnt access points gives a location")
  func learns() throws {
    let bench = Bench()
    #expect(bench.locates(Self.scan(Self.neighbours), 0) == nil)
    for second in stride(from: 1.0, to: 400, by: 61) {
      _ = bench.hear(Self.scan(Self.neighbours), second)
      bench.surroundings.located(Self.fix(second), at: Self.at(second + 2))
    }
    #expect(bench.map.learnt.count == 6)
    _ = bench.hear(.network("access point"), 900)
    let place = try #require(bench.locates(Self.scan(Self.neighbours, age: 8), 1000))
    #expect(Sphere.distance(try #require(place.position), Self.home) < 10)
    #expect(try #require(place.accuracy) < 60)
    #expect(place.received == Self.at(992) && place.source == "wifi")
    #expect(place.accessPoint == Pseudonyms(salt: Array(1...16)).text("access point"))
  }

  @Test("a fix long before or after teaches nothing, nor does an inaccurate one") func notTaught() {
    let bench = Bench()
    _ = bench.hear(Self.scan(Self.neighbours), 100)
    bench.surroundings.located(Self.fix(100), at: Self.at(140))
    bench.surroundings.located(Self.fix(100, accuracy: 90), at: Self.at(101))
    _ = bench.hear(Self.scan(Self.neighbours, age: 50), 160)
    #expect(bench.map.learnt.isEmpty)
  }

  @Test("an external service is queried only for unknown ones, and gets clear identifiers")
  func lookUp() {
    let bench = Bench()
    _ = bench.hear(Self.scan(Self.neighbours), 0)
    #expect(bench.server.scans.first?.signals.map(\.bssid) == Self.neighbours)
    bench.surroundings.located(Self.fix(1), at: Self.at(1))
    for second in [62.0, 124, 186] {
      _ = bench.hear(Self.scan(Self.neighbours), second)
      bench.surroundings.located(Self.fix(second), at: Self.at(second))
    }
    let asked = bench.server.scans.count
    _ = bench.hear(Self.scan(Self.neighbours), 1000)
    #expect(bench.server.scans.count == asked)
  }

  @Test("a cell of the table gives a location with a cell's accuracy") func cell() throws {
    let bench = Bench()
    let cell = try #require(
      CellIdentity(radio: .lte, mcc: 204, mnc: 4, area: 0x8BE3, cell: 0x2BAF01))
    bench.map.table[cell] = CellPlace(position: Self.home, range: 1000, samples: 20)
    guard
      case .coarse(let observation, let name)? = bench.hear(.cell(cell.text), 5, from: "cell").first
    else { return #expect(Bool(false), "it is not placed") }
    #expect(name == "cell" && observation.position == Self.home)
    #expect(try #require(observation.accuracy) > 500)
    #expect(bench.hear(.cell("no cell at all"), 6, from: "cell").count == 1)
  }

  @Test("an unreadable map is reported once, and the sources continue with other pseudonyms")
  func broken() {
    let bench = Bench()
    bench.map.failure = PortError("the disk is gone")
    for second in 0..<5 {
      let events = bench.hear(Self.scan(Self.neighbours), Double(second))
      #expect(events.count == 1 && !"\(events)".contains("00:11:22"))
      bench.surroundings.located(Self.fix(Double(second)), at: Self.at(Double(second)))
    }
    #expect(bench.told.map(\.reason) == ["the disk is gone"])
    bench.map.failure = nil
    _ = bench.hear(Self.scan(Self.neighbours), 100)
    bench.map.failure = PortError("the disk is gone")
    _ = bench.hear(Self.scan(Self.neighbours), 200)
    #expect(bench.told.count == 2)
  }
}
