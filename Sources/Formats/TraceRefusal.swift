import Core

/// Why a trace file is refused as a whole, and what to do.
public struct TraceRefusal: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  private init(_ description: String) { self.description = description }

  private static let mostNames = 10

  static func tooLong(_ row: TraceRow?, _ most: Int) -> TraceRefusal {
    let place = row.map { "\($0.place), \(TraceFindings.text($0.sample.time))," } ?? "one"
    return TraceRefusal(
      "\(place) is earlier than the position "
        + "before it, and more than \(most) positions are not sorted here: sort the file by time, "
        + "or divide it")
  }

  static func individuals(_ individuals: TraceIndividuals) -> TraceRefusal {
    TraceRefusal(
      "it has positions of \(individuals.count) individuals, which would form a single track: "
        + "choose one with --individual: \(list(individuals.names))")
  }

  static func tracks(_ names: [String], line: Int) -> TraceRefusal {
    TraceRefusal(
      "its tracks \(list(names)) are far apart at the same time (line \(line)), so they are "
        + "not of one individual: choose one with --individual")
  }

  static func leaps(
    _ count: Int, of positions: Int, _ first: TraceRow, _ losses: TraceLosses?
  ) -> TraceRefusal {
    let text =
      "\(count) of its \(positions) positions are too far from the previous one, the first: "
      + "\(first.place): it seems to contain two receivers; separate them first"
    guard let losses, losses.namesZone, let line = losses.firstWithoutZone else {
      return TraceRefusal(text)
    }
    return TraceRefusal(
      text + "; or its times without a zone (the first: line \(line)), beside others with one, are "
        + "not UTC")
  }

  static let noIndividuals = TraceRefusal(
    "it names no individuals or tracks to choose from with --individual")

  static func unknownIndividual(_ name: String, _ known: TraceIndividuals) -> TraceRefusal {
    let text = "it names no individual or track '\(TerminalText.line(name))'"
    guard known.areMore else {
      return TraceRefusal("\(text): the file has \(list(known.names))")
    }
    return TraceRefusal(
      "\(text) among the first \(known.names.count), and others cannot be named: divide the file"
    )
  }

  static func fewTimes(_ positions: Int, _ span: TraceSpan) -> TraceRefusal {
    TraceRefusal(
      "its \(positions) positions have only \(Counted.text(span.moments, "time")), "
        + "\(span.text): without the time of each it is not a recorded trace")
  }

  static func noDates(_ span: TraceSpan) -> TraceRefusal {
    TraceRefusal(
      "its times go \(span.text), like the day numbers of a spreadsheet when they are read as "
        + "seconds: format them as dates (2026-05-01 12:34:56)")
  }

  static func fewRows(_ rows: Int, of all: Int, _ first: TraceError) -> TraceRefusal {
    TraceRefusal(
      "only \(rows) of its \(Counted.text(all, "position")) can be read; the first that cannot: "
        + "\(first)")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(mostNames).map {
      $0.isEmpty ? "'' (items without a name)" : "'\(TerminalText.line($0))'"
    }.joined(separator: ", ")
    return names.count > mostNames ? shown + ", …" : shown
  }
}
