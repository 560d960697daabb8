import Core
import GNSS
import Records
import Testing

@testable import Runtime

/// Where the board is now.
@Suite struct PresentPositionTests {
  private static func fix(_ second: Double, _ latitude: Double?, inView: Int) -> Fix {
    var fix = Fix(received: .zero + Seconds(second))
    fix.time = UTCInstant(seconds: 1_777_636_800) + Seconds(second)
    fix.satellitesUsed = latitude == nil ? 0 : 9
    fix.satellitesInView = inView
    guard let latitude else { return fix }
    fix.mode = .threeD
    fix.position = Coordinate(latitude: Degrees(latitude), longitude: 5)
    fix.hdop = 0.9
    return fix
  }

  @Test("the last accepted fix is shown with its age, and the present signals")
  func lastBelieved() {
    var present = PresentPosition()
    #expect(present.json(at: .zero, accuracy: 3, home: nil) == .null)
    present.received(Self.fix(10, 52, inView: 14), isAccepted: true)
    present.received(Self.fix(20, 80, inView: 3), isAccepted: false)
    present.received(Self.fix(30, nil, inView: 2), isAccepted: false)
    let home = Coordinate(latitude: 52.01, longitude: 5)
    let json = present.json(at: .zero + 70, accuracy: 3, home: home)
    #expect(json["lat"]?.number == 52 && json["age_s"]?.number == 60)
    #expect(json["time"]?.string == "2026-05-01T12:00:10.000Z")
    #expect(json["accuracy_m"]?.number == 3, "the receiver told none")
    #expect(json["satellites_used"]?.integer == 9 && json["satellites_in_view"]?.integer == 2)
    #expect(json["hdop"]?.number == 0.9)
    #expect(abs((json["distance_to_home_m"]?.number ?? 0) - 1112) < 2)
  }

  @Test("home is the destination with the user's label", arguments: ["home", "Home", "HOME"])
  func home(label: String) {
    var destination = Destination(
      id: 1, position: Coordinate(latitude: 52, longitude: 5), radius: 5, visits: 1, totalDwell: 9)
    #expect(!destination.isHome)
    destination.label = label
    #expect(destination.isHome)
  }
}
