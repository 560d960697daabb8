import Core
import Testing

@testable import Hardware

@Suite struct EdgeListeningScheduleTests {
  private let now = BootInstant.zero + 100

  /// One schedule in each state, reached as in the life of an input.
  private var states: [EdgeListeningSchedule] {
    var closed = EdgeListeningSchedule()
    closed.lost(until: now + 5)
    var listening = EdgeListeningSchedule()
    listening.listens(at: now)
    var resting = EdgeListeningSchedule()
    resting.rests(until: now + 5)
    return [closed, listening, resting]
  }

  @Test("a new schedule opens at once") func aNewOneIsToBeOpened() {
    #expect(
      EdgeListeningSchedule().due == .zero && EdgeListeningSchedule().task(at: .zero) == .open)
  }

  @Test("every state has its action, before it is due and when it is")
  func everyStateKnowsItsTask() {
    #expect(states.map(\.due) == [now + 5, nil, now + 5])
    #expect(states.map { $0.task(at: now + 4.9) } == [nil, .take, nil])
    #expect(states.map { $0.task(at: now + 5) } == [.open, .take, .listen])
    #expect(states.map(\.listeningSince) == [nil, now, nil])
  }

  @Test("the last event counts, whatever the state before") func theLastEventCounts() {
    for state in states {
      var next = state
      next.listens(at: now + 1)
      #expect(next.phase == .listening(since: now + 1))
      next = state
      next.rests(until: now + 9)
      #expect(next.phase == .resting(until: now + 9))
      next = state
      next.lost(until: now + 7)
      #expect(next.phase == .closed(until: now + 7))
    }
  }
}
