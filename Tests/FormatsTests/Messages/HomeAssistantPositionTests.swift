import Core
import Testing

@testable import Formats

@Suite struct HomeAssistantPositionTests {
  private static let ghent = Coordinate(latitude: 51.05434219, longitude: 3.7)

  private static func fix(_ seconds: Double) throws -> HomeAssistantPosition {
    try #require(HomeAssistantPosition(UTCInstant(seconds: seconds), ghent, accuracy: 5))
  }

  @Test("a position always has its accuracy, and none of Home Assistant's reserved names")
  func position() throws {
    var position = try #require(
      HomeAssistantPosition(UTCInstant(seconds: 1_764_072_000), Self.ghent, accuracy: 0.2))
    position.speed = 3
    #expect(
      String(decoding: position.bytes, as: UTF8.self)
        == #"{"latitude":51.0543422,"longitude":3.7000000,"gps_accuracy":1,"speed_mps":3.0,"#
        + #""fix_time":"2025-11-25T12:00:00Z"}"#)
  }

  @Test("an invalid position is refused", arguments: [Double.nan, .infinity, 91])
  func noPosition(_ latitude: Double) {
    let at = Coordinate(latitude: Degrees(latitude), longitude: 0)
    #expect(HomeAssistantPosition(UTCInstant(seconds: 1), at, accuracy: 5) == nil)
    #expect(
      HomeAssistantPosition(UTCInstant(seconds: 1), Self.ghent, accuracy: Metres(.nan)) == nil)
  }

  @Test("of a backlog only the newest is shown, and only if it is newer than the current one")
  func newest() throws {
    let fixes = try [20, 30, 10].map { try Self.fix($0) }
    #expect(HomeAssistantPosition.newest(of: fixes) == fixes[1])
    #expect(HomeAssistantPosition.newest(of: fixes, after: UTCInstant(seconds: 29)) == fixes[1])
    #expect(HomeAssistantPosition.newest(of: fixes, after: UTCInstant(seconds: 30)) == nil)
    #expect(HomeAssistantPosition.newest(of: []) == nil)
  }
}
