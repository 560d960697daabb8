import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Conditions that suppress an alert.
@Suite struct AlertGateTests {
  private static let date = AlertBench.date
  private static let home = AlertBench.place("home")

  private static func finding(
    _ id: Int64 = 1, at place: Place? = nil, pause: Seconds = 600, isOnce: Bool = false
  ) -> AlertFinding {
    AlertFinding(
      Alert(id: id, name: "a", .enter(.all), isOnce: isOnce, resendPause: pause), "text",
      place: place)
  }

  @Test("the interval applies to one place, and ends to the second") func pause() {
    var gate = AlertGate()
    func admits(_ finding: AlertFinding, at date: UTCInstant?) -> Bool {
      gate.admits(finding, at: date)
    }
    #expect(admits(Self.finding(at: Self.home), at: Self.date))
    #expect(!admits(Self.finding(at: Self.home), at: Self.date + 599))
    #expect(admits(Self.finding(at: AlertBench.place("b", seed: 2)), at: Self.date + 599))
    #expect(admits(Self.finding(), at: Self.date + 599))
    #expect(admits(Self.finding(at: Self.home), at: Self.date + 600))
    #expect(admits(Self.finding(2, pause: 0), at: Self.date))
    #expect(admits(Self.finding(2, pause: 0), at: Self.date))
  }

  @Test("an unknown date, or one set back, suppresses no alert") func dates() {
    var gate = AlertGate()
    func admits(_ finding: AlertFinding, at date: UTCInstant?) -> Bool {
      gate.admits(finding, at: date)
    }
    #expect(admits(Self.finding(), at: Self.date))
    #expect(admits(Self.finding(), at: nil))
    #expect(admits(Self.finding(), at: Self.date - 1))
    #expect(!admits(Self.finding(), at: Self.date + 1))
  }

  @Test("a one-time alert is raised once, also without a date, until it is changed")
  func once() {
    var gate = AlertGate()
    func admits(_ finding: AlertFinding, at date: UTCInstant?) -> Bool {
      gate.admits(finding, at: date)
    }
    let finding = Self.finding(isOnce: true)
    #expect(admits(finding, at: nil) && !admits(finding, at: nil))
    gate.keep([finding.alert])
    #expect(!admits(finding, at: Self.date + .days(1)))
    gate.keep([])
    gate.keep([finding.alert])
    #expect(admits(finding, at: Self.date + .days(1)))
  }

  @Test("the gate's memory is limited, and removed alerts are forgotten") func bounded() {
    var gate = AlertGate()
    func admits(_ finding: AlertFinding, at date: UTCInstant?) -> Bool {
      gate.admits(finding, at: date)
    }
    for id in 1...1000 {
      #expect(admits(Self.finding(Int64(id)), at: Self.date + Seconds(Double(id))))
    }
    #expect(gate.raised.count == AlertGate.most)
    #expect(!admits(Self.finding(1000), at: Self.date + 1001), "the oldest were forgotten")
    gate.keep([Self.finding(1000).alert])
    #expect(gate.raised.count == 1)
  }

  @Test("an alert is off outside of its hours, except for a deadline") func hours() throws {
    var gate = AlertGate()
    func admits(_ finding: AlertFinding, at date: UTCInstant?) -> Bool {
      gate.admits(finding, at: date)
    }
    let morning = try AlertBench.daily("0800", minutes: 60)
    for (rule, isRaised) in [
      (AlertRule.enter(.all), false), (.near(.all, 100), false), (.notThereBy(.all), true),
      (.notBackBy(.all), true),
    ] {
      let alert = Alert(id: 1, name: "a", rule, schedule: morning, resendPause: 0)
      #expect(admits(AlertFinding(alert, "text"), at: Self.date) == isRaised)
      #expect(admits(AlertFinding(alert, "text"), at: nil))
    }
  }
}
