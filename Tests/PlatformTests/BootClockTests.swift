import Foundation
import Core
import Testing

@testable import Platform

@Suite struct BootClockTests {
  @Test("the clock advances and is not before the machine's start")
  func clockGoesOn() {
    let first = BootClock.now
    #expect(first > .zero)
    #expect(BootClock.now >= first)
  }

  @Test("a wait ends at its deadline, not before")
  func waitEndsAtItsDeadline() {
    let start = BootClock.now
    BootClock.wait(until: start + 0.05)
    #expect(BootClock.now - start >= 0.05)
  }

  @Test("a wait for a past deadline returns at once", arguments: [-1, 0] as [Seconds])
  func pastDeadline(offset: Seconds) {
    let start = BootClock.now
    BootClock.wait(until: start + offset)
    BootClock.wait(until: BootInstant(nanoseconds: -1))
    #expect(!BootClock.wait(for: nil, until: start + offset))
    #expect(BootClock.now - start < 1)
  }

  @Test("a readable descriptor ends the wait, also after the deadline")
  func readableDescriptor() throws {
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let start = BootClock.now
    #expect(!BootClock.wait(for: descriptor, until: start + 0.02))
    #expect(BootClock.now - start >= 0.02)
    try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
    #expect(BootClock.wait(for: descriptor, until: BootClock.now + 60))
    #expect(BootClock.wait(for: descriptor, until: start))
  }

  @Test("end of file on a pipe makes it readable")
  func hangUp() throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.close()
    #expect(
      BootClock.wait(for: pipe.fileHandleForReading.fileDescriptor, until: BootClock.now + 60))
  }

  /// Another thread interrupts every wait of this thread; the handler does nothing.
  @Test("signals neither end a wait nor are lost as a means of cancelling")
  func signals() {
    let thread = pthread_self()
    var before = sigaction()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in }
    sigaction(SIGUSR2, &action, &before)
    defer { sigaction(SIGUSR2, &before, nil) }
    // The threads of the test runner block signals.
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGUSR2)
    var blocked = sigset_t()
    pthread_sigmask(SIG_UNBLOCK, &set, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForReading.fileDescriptor
    let isOver = Flag()
    let interrupter = Thread {
      while !isOver.isSet {
        pthread_kill(thread, SIGUSR2)
        usleep(2000)
      }
      isOver.hasEnded = true
    }
    interrupter.start()
    let start = BootClock.now
    BootClock.wait(until: start + 0.05)
    #expect(BootClock.now - start >= 0.05)
    let second = BootClock.now
    #expect(!BootClock.wait(for: descriptor, until: second + 0.05))
    #expect(BootClock.now - second >= 0.05)
    let third = BootClock.now
    BootClock.wait(until: third + 60, unless: { true })
    #expect(BootClock.now - third < 30)
    isOver.isSet = true
    while !isOver.hasEnded { usleep(1000) }
  }

  private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var set = false
    private var ended = false
    var isSet: Bool {
      get { lock.withLock { set } }
      set { lock.withLock { set = newValue } }
    }
    var hasEnded: Bool {
      get { lock.withLock { ended } }
      set { lock.withLock { ended = newValue } }
    }
  }
}
