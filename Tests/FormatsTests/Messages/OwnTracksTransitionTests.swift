import Core
import TestSupport
import Testing

@testable import Formats

@Suite struct OwnTracksTransitionTests {
  private static let at = Coordinate(latitude: 51.5, longitude: 3.75)

  private static func text(_ position: Coordinate?, _ accuracy: Metres?) -> String? {
    OwnTracksTransition(.enter, "A", at: UTCInstant(seconds: 1), position, accuracy: accuracy)
      .map { String(decoding: OwnTracksMessage.transition($0).bytes, as: UTF8.self) }
  }

  @Test("a transition requires a position and an accuracy") func incomplete() {
    #expect(Self.text(nil, 5) == nil)
    #expect(Self.text(Self.at, nil) == nil)
    #expect(Self.text(Self.at, Metres(.nan)) == nil)
    #expect(Self.text(Self.at, Metres(.infinity)) == nil)
    #expect(Self.text(Coordinate(latitude: Degrees(.nan), longitude: 3), 5) == nil)
    #expect(Self.text(Coordinate(latitude: 51, longitude: 180.1), 5) == nil)
  }

  @Test(
    "an accuracy is more than 0 m",
    arguments: [(-3, "1"), (0, "1"), (0.4, "1"), (1.5, "2"), (20, "20")])
  func accuracy(_ metres: Double, _ text: String) {
    #expect(
      Self.text(Self.at, Metres(metres))
        == #"{"_type":"transition","event":"enter","desc":"A","tst":1,"lat":51.5000000,"#
        + #""lon":3.7500000,"acc":\#(text)}"#)
  }

  @Test(
    "a transition without them is not read",
    arguments: [
      ("", "lat: it is missing"), (#","lat":1"#, "lon: it is missing"),
      (#","lon":1"#, "lat: it is missing"), (#","lat":1,"lon":2"#, "acc: it is missing"),
      (#","lat":1,"lon":2,"acc":null"#, "acc: it is missing"),
      (#","lat":1,"lon":2,"acc":-1"#, "acc: it must be from 0.0 to 100000000.0"),
    ])
  func refused(_ members: String, _ why: String) {
    let text = #"{"_type":"transition","event":"leave","desc":"A","tst":1\#(members)}"#
    #expect(
      thrown(MessageError.self) { try OwnTracksMessage(parsing: Array(text.utf8)) }?.description
        == why)
  }
}
