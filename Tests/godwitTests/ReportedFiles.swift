import Foundation
import Core
import RealData
import TestSupport
import Testing

/// Files from bug reports of other programs. The right result of each is in one of the tables of
/// `tables`.
enum ReportedFiles {
  static let isHere = RealData.has("reports")
  static let absence = Comment(rawValue: RealData.absence(of: "reports"))

  static func path(_ name: String) -> String { RealData.folder + "/reports/" + name }

  static var tables: [[String]] {
    [
      ReportedReceiverDataTests.decoded.map(\.name),
      ReportedReceiverDataTests.replayed.map(\.name),
      ReportedTracksTests.read.map(\.name), ReportedTracksTests.refused.map(\.name),
      ReportedDatesTests.read.map(\.name), ReportedStaysTests.found.map(\.name),
      ReportedPlacesTests.imported.map(\.name), ReportedPlacesTests.refused.map(\.name),
      ReportedCellsTests.imported.map(\.name),
    ]
  }
}

/// The result of a file of positions.
struct ReportedTrack: CustomTestStringConvertible, Sendable {
  let name: String
  let visits: [String]
  var year = 2026
  /// The other messages of replay.
  var told: [String] = []
  /// The number of positions used; nil: any.
  var accepted: Int?
  /// The number of gaps; nil: any.
  var gaps: Int?
  /// The messages of simulate; nil: it is not run.
  var simulated: String?
  /// Why the result is not right yet.
  var shortcoming: Comment?

  var testDescription: String { name }

  func check(in scratch: ScratchFolder) throws {
    let found = try ReplayedVisits(["replay"], ReportedFiles.path(name), in: scratch)
    #expect(found.exitCode == 0, "\(found.messages)")
    if let shortcoming {
      withKnownIssue(shortcoming) { #expect(found.are(visits, year: year), "\(found.text)") }
    } else {
      #expect(found.are(visits, year: year), "\(found.text) \(found.messages)")
    }
    for words in told { #expect(found.messages.contains(words), "\(found.messages)") }
    if let accepted { #expect(found.summary?["fixes_accepted"]?.integer == accepted) }
    if let gaps { #expect(try found.gaps().count == gaps) }
    guard let simulated else { return }
    let run = try ReplayedVisits(["simulate"], ReportedFiles.path(name), in: scratch)
    #expect(run.exitCode == 0 && run.messages.contains(simulated), "\(run.messages)")
    #expect(run.summary?["duration_s"]?.number ?? .infinity < 1e6)
  }
}

@Suite(.enabled(if: ReportedFiles.isHere, ReportedFiles.absence))
struct ReportedFilesTests {
  @Test("every file has one right value")
  func complete() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: ReportedFiles.path(""))
    let named = ReportedFiles.tables.flatMap { $0 }
    #expect(named.count == Set(named).count)
    #expect(Set(files).subtracting(named) == ["INDEX.md"])
    #expect(Set(named).subtracting(files) == [])
  }
}
