import Formats
import FuzzInput
import Core
import Ports
import Records
import Store
import Tracking

#if canImport(Glibc)
  import Glibc
#endif

/// The store's tables with any content: read, rendered, resumed from and written to.
public final class RowsTarget: FuzzTarget {
  private let folder: String
  private let path: String
  private var store: GeoPackageStore
  private let reader: StoreReader
  private let file: WildFile
  private var json = JSONWriter()

  public init() {
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(temporary)/godwit-rows-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no folder in \(temporary)") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = "\(folder)/store.gpkg"
    do throws(PortError) {
      store = try GeoPackageStore(path: path, durability: .onceInAWhile)
      try store.write([.trackerState("{}")])
      reader = try StoreReader(path: path)
    } catch { fatalError(error.message) }
    file = WildFile(path: path)
  }

  deinit {
    for end in ["", "-wal", "-shm"] { unlink(path + end) }
    rmdir(folder)
  }

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    var bytes = InputBytes(input)
    let kind = bytes.byte()
    file.rewrite(&bytes)
    if kind & 7 == 7 { try reopen(&bytes) }
    try readAll(.all)
    if kind & 8 != 0 {
      let from = UTCInstant(seconds: 1_770_000_000)
      try readAll(TimeRange(from: from, to: from + .days(200)))
    }
    try goOn()
  }

  /// The layers' extents are read when a store is opened.
  private func reopen(_ bytes: inout InputBytes) throws(Violation) {
    file.rewriteExtents(&bytes)
    do throws(PortError) {
      store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    } catch { throw Violation("cannot be opened: \(error.message)") }
  }

  /// An unreadable row ends the reading of its table, and is named.
  private func rows<Row>(
    _ open: (StoreReader) throws(PortError) -> RowCursor<Row>
  ) throws(Violation) -> [Row] {
    var rows: [Row] = []
    do throws(PortError) {
      var cursor = try open(reader)
      while let row = try cursor.next() { rows.append(row) }
    } catch {
      guard case .corrupt(let message) = error, message.contains(path) else {
        throw Violation("another failure: \(error)")
      }
    }
    return rows
  }

  private func readAll(_ range: TimeRange) throws(Violation) {
    let points = try rows { (reader) throws(PortError) in try reader.trackPoints(in: range) }
    let visits = try rows { (reader) throws(PortError) in try reader.visits(in: range) }
    let destinations = try rows { (reader) throws(PortError) in try reader.destinations() }
    _ = try rows { (reader) throws(PortError) in try reader.sessions(in: range) }
    _ = try rows { (reader) throws(PortError) in try reader.segments(in: range) }
    _ = try rows { (reader) throws(PortError) in try reader.events(in: range) }
    for point in points { try list { TrackPoint.columns.append(point, to: &$0) } }
    for visit in visits { try list { Visit.columns.append(visit, to: &$0) } }
    for destination in destinations {
      try list { Destination.columns.append(destination, to: &$0) }
    }
    for format in ExportFormat.allCases {
      var exporter = format.exporter()
      for destination in destinations { exporter.destination(destination) }
      for visit in visits { exporter.visit(visit) }
      for point in points { exporter.point(point) }
      exporter.finish()
      try requireReadable(exporter.output, as: format)
    }
  }

  private func list(_ write: (inout JSONWriter) -> Void) throws(Violation) {
    json.removeAll()
    write(&json)
    try requireJSON(json.bytes[...])
  }

  private func requireReadable(_ text: [UInt8], as format: ExportFormat) throws(Violation) {
    switch format {
    case .geojson: try requireJSON(text[...])
    case .gpx:
      do throws(TraceError) {
        _ = try TraceReader.samples(of: text, as: .gpx)
      } catch {
        throw Violation("\(error): \(String(decoding: text, as: UTF8.self))")
      }
    default: break
    }
  }

  private func requireJSON(_ text: ArraySlice<UInt8>) throws(Violation) {
    do throws(JSONError) {
      _ = try JSONValue(parsing: Array(text))
    } catch {
      throw Violation("\(error): \(String(decoding: text, as: UTF8.self))")
    }
  }

  /// The daemon's actions at its start, and with its first point.
  private func goOn() throws(Violation) {
    do throws(PortError) {
      let last = try store.lastIdentifiers()
      var tracker = Tracker(
        settings: TrackerSettings(policy: .continuous), lastSessionID: last.session,
        lastVisitID: last.visit, lastDestinationID: last.destination,
        destinations: (try? store.destinations()) ?? [])
      var effects = tracker.restore(try store.trackerState() ?? "", at: .zero)
      let date = UTCInstant(seconds: 1_770_000_000)
      effects += tracker.step(
        .started(clock: SystemDate(date: date, read: .zero, isSynchronized: false)), at: .zero)
      effects += tracker.step(.stopping, at: .zero)
      var records = effects.compactMap { if case .store(let record) = $0 { record } else { nil } }
      let location = Location(
        time: date, position: Coordinate(latitude: 52, longitude: 5), accuracy: 4)
      records.append(.trackPoint(TrackPoint(location: location, reason: .shape)))
      try store.write(records)
    } catch { throw Violation("cannot be written: \(error.message)") }
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = RowsTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
