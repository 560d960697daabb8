import Formats
import FuzzInput
import Core
import Records

/// A recorded trace: GPX, CSV or PLT. The last byte determines how it is split, and its
/// format if the content shows none.
public final class TracesTarget: FuzzTarget {
  private static let formats: [TraceFormat] = [.csv, .gpx, .plt, .json]

  private var whole: [TraceSample] = []
  private var cut: [TraceSample] = []

  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    guard let last = input.last else { return }
    let bytes = UnsafeBufferPointer(rebasing: input.dropLast())
    let detected = TraceFormat.detect(head: Array(bytes.prefix(4096)))
    let format = detected ?? Self.formats[Int(last) % Self.formats.count]
    guard let reader = TraceReader(format) else { return }

    let error = read(bytes, with: reader, piece: bytes.count, into: &whole)
    for sample in whole { try requireSound(sample) }
    let other = read(bytes, with: reader, piece: 1 + Int(last & 63), into: &cut)
    try require(cut == whole, "a cut trace has other samples: \(cut) not \(whole)")
    try require(other == error, "a cut trace fails otherwise: \(other as Any) \(error as Any)")
    if !whole.isEmpty {
      for format in [ExportFormat.csv, .gpx] { try requireStable(whole, as: format) }
    }
  }

  private func read(
    _ bytes: UnsafeBufferPointer<UInt8>, with start: TraceReader, piece: Int,
    into samples: inout [TraceSample]
  ) -> TraceError? {
    var rows: [TraceRow] = []
    defer { samples = rows.map(\.sample) }
    var reader = start
    do throws(TraceError) {
      var index = 0
      while index < bytes.count {
        let end = min(index + piece, bytes.count)
        try reader.feed(UnsafeBufferPointer(rebasing: bytes[index..<end]), into: &rows)
        index = end
      }
      try reader.finish(into: &rows)
      return nil
    } catch {
      return error
    }
  }

  private func requireSound(_ sample: TraceSample) throws(Violation) {
    let position = sample.position
    let isOnEarth = position.latitude.magnitude <= 90 && position.longitude.magnitude <= 180
    try require(isOnEarth, "off the Earth: \(sample)")
    for number in [sample.altitude?.value, sample.accuracy?.value, sample.speed?.value] {
      if let number { try require(number.isFinite, "not finite: \(sample)") }
    }
    for size in [sample.accuracy?.value, sample.speed?.value] {
      if let size { try require(size >= 0, "below zero: \(sample)") }
    }
  }

  /// Samples that were written and read are written the same again. The first writing rounds, and
  /// moves the date line to -180.
  private func requireStable(
    _ samples: [TraceSample], as format: ExportFormat
  ) throws(Violation) {
    let first = try reread(Self.text(samples, as: format), as: format)
    try require(first.count == samples.count, "\(samples) become \(first)")
    let text = Self.text(first, as: format)
    let second = Self.text(try reread(text, as: format), as: format)
    try require(second == text, "\(Self.words(text)) becomes \(Self.words(second))")
  }

  private func reread(
    _ text: [UInt8], as format: ExportFormat
  ) throws(Violation) -> [TraceSample] {
    guard let found = TraceFormat.detect(head: text) else {
      throw Violation("is not recognised: \(Self.words(text))")
    }
    do throws(TraceError) {
      return try TraceReader.samples(of: text, as: found)
    } catch {
      throw Violation("\(error): \(Self.words(text))")
    }
  }

  /// Numbers beyond 9e9 are written exactly, and read with an error in the last digit.
  private static func text(_ samples: [TraceSample], as format: ExportFormat) -> [UInt8] {
    var exporter = format.exporter()
    let most = 9e9
    for sample in samples {
      let location = Location(
        time: sample.time, position: sample.position,
        accuracy: Metres(min(sample.accuracy?.value ?? 0, most)),
        speed: sample.speed.map { min($0, MetresPerSecond(most)) },
        altitude: sample.altitude.map { max(min($0, Metres(most)), Metres(-most)) })
      exporter.point(TrackPoint(location: location, reason: .shape))
    }
    exporter.finish()
    return exporter.output
  }

  private static func words(_ text: [UInt8]) -> String { String(decoding: text, as: UTF8.self) }
}

#if FUZZING
  private nonisolated(unsafe) let target = TracesTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
