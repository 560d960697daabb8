import Ports
import Core
import Testing
import VirtualDevice

/// The distribution of the fixes around the truth, read from the NMEA sentences.
@Suite struct PositionErrorTests {
  struct Offset {
    var east: Double
    var north: Double
    /// GST: standard deviation of the latitude.
    var claimed: Double
    var radius: Double { (east * east + north * north).squareRoot() }
  }

  /// The fixes of a stationary board, epoch by epoch.
  func offsets(_ reception: Reception, seconds: Double, seed: UInt64, after start: Reception? = nil)
    throws
    -> [Offset]
  {
    let groundTruth = StandingTruth(reception: start ?? reception)
    let board = VirtualBoard(groundTruth: groundTruth, settings: .init(coarse: nil, seed: seed))
    try board.receiver.open()
    _ = try #require(try board.timeToFirstFix())
    groundTruth.reception = reception
    var offsets: [Offset] = []
    var position: (Double, Double)?
    for line in try board.listen(for: Seconds(seconds)).split(separator: 13) {
      guard line.dropFirst().starts(with: "$GNG".utf8) else { continue }
      let fields = String(decoding: line.dropFirst(), as: UTF8.self).split(
        separator: ",", omittingEmptySubsequences: false)
      if fields[0] == "$GNGGA" {
        position = fields[6] == "1" ? (degrees(fields[2], 2), degrees(fields[4], 3)) : nil
      } else if fields[0] == "$GNGST", let (latitude, longitude) = position {
        offsets.append(
          Offset(
            east: (longitude - groningen.longitude.value) * 111_195 * 0.598_77,
            north: (latitude - groningen.latitude.value) * 111_195,
            claimed: try #require(Double(fields[6]))))
      }
    }
    return offsets
  }

  func degrees(_ field: Substring, _ digits: Int) -> Double {
    Double(field.prefix(digits))! + Double(field.dropFirst(digits))! / 60
  }

  /// Radius that contains 68 % of the fixes, once settled.
  func radius68(_ reception: Reception, after start: Reception? = nil) throws -> Double {
    let radii = try (0..<8).flatMap { seed in
      try offsets(reception, seconds: 600, seed: seed, after: start).dropFirst(60).map(\.radius)
    }
    return radii.sorted()[radii.count * 68 / 100]
  }

  @Test("the worse the reception, the worse the fix") func theWorseTheSkyTheWorseTheFix() throws {
    #expect((2...5).contains(try radius68(.open)))
    #expect((6...15).contains(try radius68(.street)))
    #expect((22...55).contains(try radius68(.indoors, after: .open)))
  }

  @Test("the first fixes are worse, and the receiver reports it") func firstFixesAreWorse() throws {
    let runs = try (0..<40).map { try offsets(.street, seconds: 61, seed: $0) }
    let first = runs.map { $0[1].radius }.sorted()[20]
    let later = runs.map { $0[59].radius }.sorted()[20]
    #expect(first > 1.5 * later)
    // The receiver reports it, too.
    #expect(runs.allSatisfy { $0[1].claimed >= $0[59].claimed })
  }

  @Test("errors drift instead of jumping") func errorsWanderInsteadOfJumping() throws {
    let fixes = try offsets(.open, seconds: 2000, seed: 5).dropFirst(60)
    let steps = zip(fixes, fixes.dropFirst()).map { ($1.east - $0.east).magnitude }.sorted()
    let size = fixes.map { $0.east.magnitude }.sorted()[fixes.count / 2]
    #expect(steps[steps.count / 2] < size / 2)
  }

  @Test("reflections pull a few fixes far away, and the receiver does not notice")
  func reflectionsPullSomeFixesFarAway() throws {
    let fixes = try (0..<3).flatMap { try offsets(.street, seconds: 3600, seed: $0).dropFirst(60) }
    let far = fixes.filter { $0.radius > 45 }
    // About one in an hour, a few epochs long, and the receiver does not notice it.
    #expect(!far.isEmpty && far.count < fixes.count / 100)
    #expect(far.allSatisfy { $0.claimed < 12 })
  }
}
