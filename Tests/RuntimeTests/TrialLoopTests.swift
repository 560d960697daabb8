import Records
import Glibc
import Platform
import Ports
import GNSS
import Core
import Testing
import Tracking

@testable import Runtime

/// Counts the bytes that it is served from a pipe.
private final class PipeEndpoint: Endpoint {
  let kind = "pipe"
  let fruitlessLimit = 20
  let due: BootInstant? = nil
  private let reading: Int32
  private let writing: Int32
  private(set) var bytes = 0

  init() {
    var ends: [Int32] = [-1, -1]
    precondition(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  var interest: Interest? { Interest(reading) }

  func send() { precondition(write(writing, "x", 1) == 1) }

  func serve(at now: BootInstant, isReady: Bool) -> Served {
    var byte: UInt8 = 0
    bytes += read(reading, &byte, 1)
    return Served(isFruitful: true)
  }
}

@Suite struct TrialLoopTests {
  private let first = PipeEndpoint()
  private let second = PipeEndpoint()
  private let loop: TrialLoop

  init() {
    var devices = Devices()
    devices.endpoints = [first, second]
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: BootClock.now), commits: CommitSettings(),
      wiring: PowerWiring(), devices: devices)
    runtime.start(restoring: nil, at: BootClock.now)
    loop = TrialLoop(runtime)
  }

  @Test("every endpoint that is ready is served, and no other")
  func everyEndpoint() {
    second.send()
    #expect(loop.run(for: 10) { second.bytes == 1 })
    #expect(first.bytes == 0)
    first.send()
    second.send()
    #expect(loop.run(for: 10) { first.bytes == 1 && second.bytes == 2 })
  }

  @Test("it ends when the time has passed") func end() {
    let start = BootClock.now
    #expect(!loop.run(for: 0.05) { false })
    #expect(BootClock.now - start >= 0.05)
  }
}
