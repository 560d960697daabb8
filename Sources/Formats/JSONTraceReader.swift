import Core

/// Reads positions from JSON: OwnTracks' messages and its recorder's files, Google's location
/// history in its three formats, Overland's batches, and GeoJSON with times; one text, or one per
/// line.
///
/// An unreadable item is skipped and counted; an item without a position is ignored.
struct JSONTraceReader: Sendable {
  /// A GeoJSON line of two days at one position a second: its parsed form takes up to about 100 MB.
  private static let limits = JSONExtent.Limits(bytes: 1 << 23, values: 1_000_000)
  private static let excess =
    "an item of more than \(limits.bytes >> 20) MB, or of more than \(limits.values) values: "
    + "divide it, as a long line into several"
  private static let longestGap = 1 << 28  // bytes

  private var scanner = JSONItemScanner(
    lists: ["locations", "features", "semanticSegments", "timelineObjects", "rawSignals"],
    limits: limits)
  private(set) var losses = TraceLosses()
  private(set) var individuals: TraceIndividuals?

  /// Typical words near the beginning of a file in these formats; all words of one list have to
  /// occur.
  static let marks: [[StaticString]] = [
    ["\"_type\"", "\"tst\""], ["\"_type\"", "\"encrypted\""], ["\"latitudeE7\""],
    ["\"semanticSegments\""],
    ["\"timelineObjects\""], ["\"timelinePath\""], ["\"rawSignals\""], ["\"topCandidate\""],
    ["\"coordinates\"", "\"time"], ["\"coordinates\"", "\"coordTimes\""],
  ]

  mutating func feed(
    _ bytes: UnsafeBufferPointer<UInt8>, into rows: inout [TraceRow]
  ) throws(TraceError) {
    scanner.append(bytes)
    while let piece = try next() { try take(piece, into: &rows) }
    guard scanner.offset - scanner.pieceEnd <= Self.longestGap else {
      throw TraceError(
        line: scanner.line,
        "no item ends within \(Self.longestGap >> 20) MB from here: no position is that large")
    }
  }

  mutating func finish(into rows: inout [TraceRow]) throws(TraceError) {
    if let piece = scanner.last() { try take(piece, into: &rows) }
    if !scanner.isBetweenTexts {
      losses.cut = TraceError(
        line: scanner.line, "JSON that does not end; check that the file is complete")
    }
  }

  private mutating func next() throws(TraceError) -> JSONItemScanner.Piece? {
    do throws(JSONError) { return try scanner.next() } catch {
      throw TraceError(line: scanner.line, "\(error)")
    }
  }

  private mutating func take(
    _ piece: JSONItemScanner.Piece, into rows: inout [TraceRow]
  ) throws(TraceError) {
    switch piece {
    case .cutText: break
    case .item(let extent, _), .text(let extent, _, hasItems: false): read(extent, into: &rows)
    case .opening(let bytes): try checkSystem(of: bytes)
    case .text(let extent, _, hasItems: true): try checkSystem(of: extent.bytes)
    }
  }

  /// Checks the text before or after the items.
  private func checkSystem(of bytes: [UInt8]) throws(TraceError) {
    guard let text = try? JSONValue(parsing: bytes),
      let fault = CoordinateSystem.fault(ofGeoJSON: text)
    else { return }
    throw TraceError(line: scanner.line, fault)
  }

  private mutating func read(_ extent: JSONExtent, into rows: inout [TraceRow]) {
    let line = scanner.line
    guard extent.excess == nil else {
      return losses.skip(over: TraceError(line: line, Self.excess))
    }
    // OwnTracks' Recorder writes words before its objects.
    guard extent.bytes.first == UInt8(ascii: "{") else { return }
    var item = JSONTraceItem(line: line)
    do throws(JSONError) {
      item.read(try JSONValue(parsing: extent.bytes))
    } catch {
      return losses.skip(over: TraceError(line: line, "\(error)"))
    }
    for fault in item.faults { losses.skip(over: fault) }
    if let fault = item.valueFault { losses.leaveOut(value: fault) }
    if item.lacksZone { losses.note(namesZone: false, at: line) }
    if item.namesZone { losses.note(namesZone: true, at: line) }
    if item.places > 0 { losses.leaveOut(places: item.places) }
    guard !item.samples.isEmpty else { return }
    let individual = individual(of: item)
    rows += item.samples.map {
      TraceRow($0, line: line, individual: individual, isOfItem: item.hasSpan)
    }
  }

  private mutating func individual(of item: JSONTraceItem) -> UInt16 {
    let kind = item.individual?.kind ?? .tracks
    var known = individuals ?? TraceIndividuals(kind)
    individuals = nil
    defer { individuals = known }
    known.note(kind)
    return known.index(of: Array((item.individual?.name ?? "").utf8))
  }
}
