import Core
import Records
import Testing

@testable import Analysis

@Suite struct StartFitTests {
  /// Sessions at the given seconds after the first, each with its time to first fix and tracking
  /// time.
  private func run(
    _ sessions: [(at: Double, ttff: Double?, tracked: Double)], keepsData: Bool = true,
    accuracy: Metres? = 4, segments: [PowerSegment] = []
  ) -> MeasuredRun {
    var run = MeasuredRun(name: "a", keepsNavigationData: keepsData, segments: segments)
    for (index, session) in sessions.enumerated() {
      var record = GnssSession(id: Int64(index), on: CurrentFitTests.start + Seconds(session.at))
      let duration = (session.ttff ?? 20) + session.tracked
      record.timeToFirstFix = session.ttff.map { Seconds($0) }
      record.duration = Seconds(duration)
      record.off = CurrentFitTests.start + Seconds(session.at + duration)
      record.outcome = session.ttff == nil ? .noFix : .fixObtained
      run.sessions.append(record)
      if session.ttff != nil { run.accuracies[record.id] = accuracy }
    }
    return run
  }

  private func knowledge(_ run: MeasuredRun) -> [StartKnowledge] {
    StartHistory(run).starts.map(\.knowledge)
  }

  @Test("a start is hot within half an hour of half a minute's tracking, and warm after four hours")
  func classes() {
    let day = run([
      (0, 30, 40), (600, 2, 1), (1200, 2, 1), (2400, 2, 1), (4000, 3, 31), (4600, nil, 0),
      (5000, 2, 0), (20_000, 20, 0),
    ])
    #expect(
      knowledge(day) == [.uncertain, .hot, .hot, .uncertain, .uncertain, .hot, .warm])
  }

  @Test("without backup supply a start is cold after a cut, and unknown without one")
  func cold() {
    let cut = PowerSegment(
      state: .off, start: CurrentFitTests.start + 100, duration: 400, charge: 0, energy: 0,
      basis: .modelled)
    let day = run(
      [(0, 30, 0), (600, 30, 0), (1200, 2, 0)], keepsData: false, segments: [cut])
    #expect(knowledge(day) == [.uncertain, .cold, .uncertain])
  }

  /// Each session is 60 s, and the next begins where it ends.
  private func ordered(
    _ restarts: [GnssSession.Restart?], tracked: Double = 40, keepsData: Bool = true
  ) -> MeasuredRun {
    var day = run(
      restarts.indices.map { (Double($0) * (20 + tracked), 20, tracked) }, keepsData: keepsData)
    for (index, restart) in restarts.enumerated() { day.sessions[index].restart = restart }
    return day
  }

  @Test("the receiver does not have data that it was commanded to erase", arguments: [true, false])
  func ordered(keepsData: Bool) {
    let day = ordered([nil, .cold, .warm, .hot, nil], keepsData: keepsData)
    #expect(
      knowledge(day) == [.uncertain, .cold, .warm, .hot, keepsData ? .hot : .uncertain])
    let hasty = ordered([nil, .warm, .hot, .cold, .hot], tracked: 5, keepsData: keepsData)
    #expect(knowledge(hasty) == [.uncertain, .warm, .uncertain, .cold, .uncertain])
  }

  @Test("data erased in a search without a fix stays unknown later, too")
  func forgotten() {
    var day = run([(0, 30, 40), (70, nil, 0), (600, 30, 1)])
    day.sessions[1].restart = .cold
    #expect(knowledge(day) == [.uncertain, .uncertain])
    day.sessions[1].restart = nil
    #expect(knowledge(day) == [.uncertain, .hot])
  }

  @Test("commanded starts are distributions of their own") func orderedDistributions() throws {
    let starts = StartHistory(ordered([nil, .cold, .warm, .hot, .cold, nil])).starts
    let all = StartDistribution.all(starts, hotLimit: nil)
    #expect(all.map(\.restart) == [nil, nil, .hot, .warm, .cold])
    #expect(all.map(\.times.count) == [1, 1, 1, 1, 2])
    #expect(all.last?.sentence.contains("cold start by command: 2 starts") == true)
  }

  @Test("after a clock step, earlier history counts as unknown") func clockSteps() {
    var day = run([(0, 30, 40), (600, 2, 31), (1200, 2, 31), (1800, 2, 1), (2400, 2, 1)])
    // Set back by a day between two sessions, and by an hour within another.
    for index in 2...4 {
      day.sessions[index].on = day.sessions[index].on.map { $0 - .days(1) }
      day.sessions[index].off = day.sessions[index].off.map { $0 - .days(1) }
    }
    day.sessions[3].off = day.sessions[3].off.map { $0 - .hours(1) }
    let history = StartHistory(day)
    #expect(
      history.starts.map(\.knowledge) == [.uncertain, .hot, .uncertain, .uncertain, .uncertain])
    #expect(history.clockSteps == 2)
  }

  @Test("undated and unfinished sessions break the chain but nothing else") func holes() {
    var day = run([(0, 30, 40), (600, 2, 31), (1200, 2, 31), (1800, 2, 1), (2400, .nan, 1)])
    day.sessions[1].on = nil
    day.sessions[2].off = nil
    day.sessions[2].duration = nil
    day.sessions[2].outcome = .interrupted
    let history = StartHistory(day)
    #expect(history.starts.map(\.knowledge) == [.uncertain, .uncertain, .uncertain])
    #expect(history.clockSteps == 0)
  }

  @Test("with the reported time, the virtual receiver reproduces the measured mean")
  func calibration() {
    let even = (0..<1000).map { 0.7 + 0.6 * (Double($0) + 0.5) / 1000 }
    let calibration = StartCalibration(delay: 0.65, interval: 1, factors: even)
    #expect(calibration.epochs(in: 0.66) == 1)
    #expect(calibration.epochs(in: 1.65) == 2)
    #expect(calibration.epochs(in: 2.0) == 2)
    for start in [1.0, 2.5, 26, 300] {
      let epochs = calibration.meanEpochs(of: Seconds(start))
      #expect((calibration.start(taking: epochs).value / start - 1).magnitude < 0.002)
    }
  }

  private func finding(_ times: [Double]) -> Finding<Seconds> {
    StartFit(
      knowledge: .hot, times: times.map { Seconds($0) }, calibration: CurrentFitTests.calibration
    ).finding(missing: "none")
  }

  @Test("no time is reported for few starts or starts faster than an epoch")
  func untold() throws {
    #expect(finding([]) == .undetermined(because: "none"))
    guard case .undetermined(let reason) = finding([2, 2, 3, 2]) else {
      Issue.record("four are too few")
      return
    }
    #expect(reason.contains("4 hot starts"))
    guard case .atMost = finding([1, 1, 1, 1, 1, 1]) else {
      Issue.record("the first epoch tells nothing")
      return
    }
    let estimate = try #require(finding([4, 5, 4, 5, 4, 5, 30]).estimate)
    #expect(estimate.count == 6 && estimate.high < 6)
  }

  /// - Parameter times: nil: no fix in 51 s.
  private func fit(_ times: [Double?]) throws -> ReceiverFit {
    let sessions = times.enumerated().map {
      (at: Double($0.offset) * 600, ttff: $0.element, tracked: 31.0)
    }
    let segments = (0..<10).map { CurrentFitTests.segment(.tracking, $0, milliamperes: 30) }
    return try ReceiverFit(
      [run(sessions, segments: segments)], calibration: CurrentFitTests.calibration)
  }

  /// Four of five starts take 2 to 6 s, the fifth 25 to 35.
  @Test("slow starts keep their share of the total time") func slowStarts() throws {
    let times =
      [30]
      + (0..<250).map { index -> Double in
        let place = Double(index * 37 % 250) / 250
        return index % 5 == 4 ? 25 + 10 * place : 2 + 4 * place
      }
    let fit = try fit(times)
    let percent = try #require(fit.slowStarts.percent.estimate)
    let slow = try #require(fit.slowStarts.time.estimate)
    let fast = try #require(fit.startTime(.hot).estimate)
    #expect(percent.value.value == 20 && percent.low.value > 15 && percent.high.value < 26)
    #expect(slow.count == 50 && fast.count == 200)
    let mean = fast.value.value + (slow.value - fast.value).value * 0.2
    let measured = times.dropFirst().reduce(0, +) / 250
    // Epochs and power-on take a second on average, and the virtual receiver scatters upwards.
    #expect((mean / measured - 1).magnitude < 0.15, "\(mean) s, and \(measured) s were measured")
    let part = PartFile(name: "a", provenance: []).text(of: fit)
    #expect(part.contains("\nslow_start_percent = 20") && part.contains("\nslow_start_s = "))
    #expect(part.contains("mean 9.") && part.contains("longest 3"))
    #expect(fit.notices.isEmpty)
  }

  @Test("no slow starts, or too few, are reported as such") func fewSlowStarts() throws {
    let even = (0..<60).map { 3 + Double($0 % 3) }
    guard case .atMost(let limit, _) = try fit(even).slowStarts.percent else {
      Issue.record("none of 59 is not nothing")
      return
    }
    #expect((5...8).contains(limit.value))
    let one = try fit(even + [40])
    #expect(one.slowStarts.percent.estimate == nil && one.slowStarts.time.estimate == nil)
    guard case .slowStarts(.hot, 1, of: 60, mean: 40)? = one.notices.first else {
      Issue.record("\(one.notices)")
      return
    }
    #expect(!PartFile(name: "a", provenance: []).text(of: one).contains("\nslow_start"))
  }

  @Test("abandoned slow starts count, and their duration is not reported")
  func givenUp() throws {
    let times = (0..<100).map { Double?($0 % 10 == 5 ? 30 : 3 + Double($0 % 3)) }
    let all = try #require(try fit([3] + times).slowStarts.percent.estimate)
    #expect(all.value.value == 10 && all.count == 100)
    // Every other slow start was abandoned.
    let some = try fit([3] + times.enumerated().map { $0.offset % 20 == 5 ? nil : $0.element })
    let percent = try #require(some.slowStarts.percent.estimate)
    #expect(percent.value.value == 10 && percent.count == 100)
    guard case .undetermined(let reason) = some.slowStarts.time else {
      Issue.record("nobody knows how long those given up would have taken")
      return
    }
    #expect(reason.hasPrefix("5 of 10 slow hot starts were aborted, the soonest after 51 s"))
  }

  @Test("a search indoors is not a slow start", arguments: [0, 2]) func roof(open: Int) throws {
    var sessions = (0..<4).map { (at: Double($0) * 600, ttff: Double?(4), tracked: 31.0) }
    sessions[1].ttff = nil
    var day = run(sessions)
    day.accuracies[Int64(open)] = 15
    #expect(StartHistory(day).unfinished.isEmpty)
    day.accuracies[Int64(open)] = 4
    #expect(StartHistory(day).unfinished == [51])
    // The clock was set in between: earlier sessions may have had different reception.
    day.sessions[2].on = day.sessions[2].on.map { $0 - .days(1) }
    day.sessions[2].off = day.sessions[2].off.map { $0 - .days(1) }
    #expect(StartHistory(day).unfinished.isEmpty)
  }

  @Test("other reception conditions do not count and are distinguished") func skies() throws {
    let sessions = (0..<12).map { (at: Double($0) * 600, ttff: Double?(4), tracked: 31.0) }
    let segments = (0..<10).map { CurrentFitTests.segment(.tracking, $0, milliamperes: 30) }
    func fit(_ accuracy: Metres?) throws -> ReceiverFit {
      try ReceiverFit(
        [run(sessions, accuracy: accuracy, segments: segments)],
        calibration: CurrentFitTests.calibration)
    }
    #expect(try fit(4).startTime(.hot).estimate != nil)
    let street = try fit(15)
    guard case .undetermined(let reason) = street.startTime(.hot) else {
      Issue.record("told from between houses")
      return
    }
    #expect(reason.contains("open sky"))
    #expect(street.distributions.allSatisfy { !$0.isOpenSky })
    #expect(try fit(nil).startTime(.hot).estimate == nil)
    #expect(try fit(4).distributions.map(\.times.count) == [11, 1])
  }
}
