import Foundation
import Formats
import RealData
import TestSupport
import Testing

private enum OfficialSchema {
  static let name = "schemas/gpx-1.1.xsd"
  static let absence = Comment(rawValue: RealData.absence(of: name))
}

/// GPX against topografix.com's own schema file, which is not part of the project.
@Suite(.enabled(if: RealData.has(OfficialSchema.name), OfficialSchema.absence))
struct OfficialPlaceSchemaTests {
  @Test("any content of a place is valid", arguments: 1...3) func valid(seed: UInt64) throws {
    let folder = try ScratchFolder()
    var random = RandomPlaces(seed: seed)
    let path = folder.file("places.gpx")
    try Data(PlaceFileRun.text(try random.places(40), as: .gpx)).write(
      to: URL(fileURLWithPath: path))
    let schema = RealData.folder + "/" + OfficialSchema.name
    let check = try run("xmllint", "--noout", "--nonet", "--schema", schema, path)
    #expect(check.status == 0, "\(check.output)")
  }
}
