import Core
import Testing

@testable import Places

@Suite struct PlaceDirectionTests {
  static let ways: [(latitude: Double, longitude: Double, word: String, arrow: Character)] = [
    (1, 0, "north", "↑"), (1, 1, "north-east", "↗"), (0, 1, "east", "→"),
    (-1, 1, "south-east", "↘"), (-1, 0, "south", "↓"), (-1, -1, "south-west", "↙"),
    (0, -1, "west", "←"), (1, -1, "north-west", "↖"), (1, -0.1, "north", "↑"),
  ]

  @Test("eight words and eight arrows", arguments: ways)
  func words(latitude: Double, longitude: Double, word: String, arrow: Character) {
    let direction = PlaceDirection(
      from: Drawing.at(0, 0), to: Drawing.at(latitude, longitude))
    #expect(direction.compassWord == word)
    #expect(direction.arrow == arrow)
    #expect(direction.relativeBearing == nil)
  }

  @Test("with a heading the arrow shows the relative direction, and the word stays")
  func heading() throws {
    func direction(_ heading: Double) -> PlaceDirection {
      PlaceDirection(
        from: Drawing.at(0, 0), heading: Degrees(heading), to: Drawing.at(0, 1))
    }
    #expect(direction(90).arrow == "↑")
    #expect(direction(0).arrow == "→")
    #expect(direction(270).arrow == "↓")
    #expect(direction(135).arrow == "↖")
    #expect(direction(-270).arrow == "↑")
    #expect(direction(.nan).relativeBearing == nil)
    #expect(direction(135).compassWord == "east")
    #expect(abs(try #require(direction(100).relativeBearing).value - 350) < 0.001)
  }

  @Test("the time is for the straight line, and absent without movement") func time() throws {
    let direction = PlaceDirection(from: Drawing.at(0, 179.99), to: Drawing.at(0, -179.99))
    #expect(abs(direction.distance.value - 2223.9) < 0.1)
    #expect(abs(try #require(direction.time(at: 2)).value - 1111.95) < 0.1)
    let arrival = try #require(direction.arrival(after: .zero, at: 2))
    #expect(abs((arrival - .zero).value - 1111.95) < 0.1)
    #expect(direction.time(at: 0) == nil)
    #expect(direction.compassWord == "east")
  }

  @Test("a place behind has no time") func behind() {
    for (heading, isAhead) in [(0.0, true), (89, true), (91, false), (180, false), (271, true)] {
      let direction = PlaceDirection(
        from: Drawing.at(0, 0), heading: Degrees(heading), to: Drawing.at(1, 0))
      #expect((direction.time(at: 2) != nil) == isAhead, "\(heading)")
      #expect((direction.arrival(after: .zero, at: 2) != nil) == isAhead, "\(heading)")
    }
  }
}
