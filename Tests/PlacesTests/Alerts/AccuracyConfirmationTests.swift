import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Alerts that wait for a location of some accuracy.
@Suite struct AccuracyConfirmationTests {
  private static let home = AlertBench.place("home")

  private static func alert(_ rule: AlertRule, _ accuracy: Metres? = 10) -> Alert {
    Alert(id: 1, name: "sharp", rule, accuracy: accuracy, resendPause: 0)
  }

  /// Located outside, then inside with 20 m accuracy.
  private static func arrived(_ places: [Place] = [home]) -> AlertBench {
    var bench = AlertBench(places, [alert(.enter(.all))])
    bench.locate(900, at: 10)
    bench.locate(0, accuracy: 20, at: 100)
    bench.locate(0, accuracy: 20, at: 130)
    return bench
  }

  @Test("an accurate but undecided location does not confirm yet") func undecided() {
    var bench = Self.arrived()
    bench.locate(59, accuracy: 10, at: 160)
    #expect(bench.crossings.count == 1 && bench.told == [])
    bench.locate(0, accuracy: 10, at: 190)
    #expect(bench.told == ["enter: home"])
    #expect(bench.raised[0].location?.accuracy == 10)
  }

  @Test("an alert that no longer needs the accuracy is raised at the next location")
  func loosened() {
    var bench = Self.arrived()
    bench.step(.alerts([Self.alert(.enter(.all), nil)]), at: 150)
    bench.locate(0, accuracy: 40, at: 160)
    #expect(bench.told == ["enter: home"])
  }

  @Test("a pending alert that was changed or removed is not raised")
  func becomesAnother() {
    for other in [[Self.alert(.leave(.all))], []] {
      var bench = Self.arrived()
      bench.step(.alerts(other), at: 150)
      bench.step(.alerts([Self.alert(.enter(.all))]), at: 155)
      bench.locate(0, accuracy: 5, at: 160)
      #expect(bench.told == [])
    }
  }

  @Test("a location also confirms at a place that follows a device") func following() {
    let guide = AlertBench.place("guide", radius: 60) {
      $0.location = .following(FollowedDevice(name: "guide", update: .interval(600)))
    }
    var bench = AlertBench([guide], [Self.alert(.enter(.all))])
    bench.step(.places(.device("guide", at: AlertBench.centre)), at: 5)
    bench.stand(900, from: 10)
    bench.locate(0, accuracy: 20, at: 200)
    bench.locate(0, accuracy: 20, at: 230)
    #expect(bench.crossings.count == 1 && bench.told == [])
    bench.locate(0, accuracy: 8, at: 260)
    #expect(bench.told == ["enter: guide"])
  }
}
