import Core
import Glibc
import Formats
import Places
import Records
import Store
import VirtualDevice

/// The cost of places: an hour's ride with a fix per second among few and among many places,
/// queried from a real store.
enum PlaceBenchmark {
  /// Arguments: a folder for the stores, and the number of places in the large store.
  static func run(_ arguments: [String]) throws {
    let folder = arguments.first ?? "."
    let many = arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
    for count in [10, many] {
      let path = "\(folder)/godwit-bench-\(getpid()).gpkg"
      defer { for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) } }
      try measure(path, count)
    }
    try measureCorners()
  }

  /// A coast with the maximum number of corners of a place, validated and crossed by a ride.
  private static func measureCorners() throws {
    let corners = 10_000
    let ring = (0...corners).map { corner -> Coordinate in
      let angle = Degrees(Double(corner % corners) * 360 / Double(corners))
      let bay = 200 * Double((corner % corners) % 7)
      return Sphere.destination(from: centre, bearing: angle, distance: Metres(20_000 + bay))
    }
    let details = PlaceDetails(
      name: "Coast", location: .fixed(centre),
      perimeter: .polygons([PerimeterPolygon(outer: ring.reversed(), holes: [])]), owner: "me")
    var chance = SeededRandom(seed: 2)
    var start = Stopwatch.cpu
    let place = try Place(id: PlaceID.made(using: &chance), details)
    let checked = Stopwatch.cpu - start
    start = Stopwatch.cpu
    let crossings = try ride { _, _ in ([place], false) }.crossings
    let microseconds = (Stopwatch.cpu - start) / Double(fixes) * 1e6
    print(
      "places: one with \(corners) corners: checked in \(Stopwatch.text(checked * 1e3)) ms, "
        + "\(Stopwatch.text(microseconds)) us a fix, \(crossings) crossings")
  }

  private static let fixes = 3600

  private typealias Answer = (GeographicBox, _ atMost: Int) throws -> ([Place], Bool)

  /// Rides for an hour with alerts on every place.
  private static func ride(_ find: Answer) throws -> (queries: Int, crossings: Int, looks: Int) {
    var result = (queries: 0, crossings: 0, looks: 0)
    var watch = PlaceWatch()
    _ = watch.step(.wanted([PlaceInterest(.all)]), at: .zero, date: nil)
    for second in 0..<fixes {
      let (location, now) = fix(second)
      var effects = watch.step(.presence(.located(location)), at: now, date: location.time)
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .changed(let change): if change.isCrossing { result.crossings += 1 }
        case .requestFix: result.looks += 1
        case .find(let box, let most, let request):
          result.queries += 1
          let (places, isCut) = try find(box, most)
          effects += watch.step(
            .found(places, request: request, isCut: isCut), at: now, date: location.time)
        }
      }
    }
    return result
  }

  private static let centre = Coordinate(latitude: 47, longitude: 15)

  private static func measure(_ path: String, _ count: Int) throws {
    let name = "places: \(count)"
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    let editor = PlaceEditor(store)
    let beginning = Stopwatch.cpu
    var chance = SeededRandom(seed: 1)
    for start in stride(from: 0, to: count, by: 1000) {
      try editor.put(
        try (start..<min(start + 1000, count)).map { try PlaceRow(place($0, &chance)) })
    }
    try store.close()
    print("\(name): stored in \(Stopwatch.text(Stopwatch.cpu - beginning)) s")
    let reader = try StoreReader(path: path)
    let before = residentKilobytes()
    let start = Stopwatch.cpu
    let ride = try ride { box, most in try found(reader, box, most) }
    let microseconds = (Stopwatch.cpu - start) / Double(fixes) * 1e6
    let memory = residentKilobytes() - before
    print(
      "\(name): \(Stopwatch.text(microseconds)) us a fix, \(ride.queries) queries and "
        + "\(ride.crossings) crossings in an hour's ride, \(memory) kB more resident")
  }

  /// Straight ahead at 14 m/s.
  private static func fix(_ second: Int) -> (Location, BootInstant) {
    let at = Sphere.destination(from: centre, bearing: 60, distance: Metres(Double(second) * 14))
    let location = Location(
      time: UTCInstant(seconds: 1_780_000_000 + Double(second)), position: at, accuracy: 5,
      speed: 14, source: .gnss)
    return (location, .zero + Seconds(Double(second)))
  }

  private static func found(
    _ reader: StoreReader, _ box: GeographicBox, _ most: Int
  ) throws -> ([Place], Bool) {
    var cursor = try PlaceCursor(reader, near: box)
    var places: [Place] = []
    while let row = try cursor.next() {
      guard places.count < most else { return (places, true) }
      if let place = row.entry(.ofStore).place {
        places.append(place)
      }
    }
    return (places, false)
  }

  /// Evenly distributed within 200 km.
  private static func place(_ number: Int, _ chance: inout SeededRandom) throws -> Place {
    let at = Coordinate(
      latitude: centre.latitude + Degrees(.random(in: -1.8...1.8, using: &chance)),
      longitude: centre.longitude + Degrees(.random(in: -2.6...2.6, using: &chance)))
    let details = PlaceDetails(
      name: "Place \(number)", location: .fixed(at),
      perimeter: .circle(radius: Metres(.random(in: 30...300, using: &chance))), owner: "me")
    return try Place(id: PlaceID.made(using: &chance), details)
  }

  /// From /proc/self/statm (proc(5)), in pages: the second number.
  private static func residentKilobytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var (size, resident) = (0, 0)
    let read = withUnsafeMutablePointer(to: &size) { size in
      withUnsafeMutablePointer(to: &resident) { resident in
        withVaList([size, resident]) { vfscanf(file, "%ld %ld", $0) }
      }
    }
    return read == 2 ? resident * Int(getpagesize()) / 1024 : 0
  }
}
