import Ports
import Core

/// Drives a runtime through a virtual world, from event to event: a year takes seconds, and the
/// same seed gives the same effects.
public struct VirtualLoop {
  let world: any VirtualWorld
  let runtime: TrackerRuntime

  public init(_ world: any VirtualWorld, runtime: TrackerRuntime) {
    self.world = world
    self.runtime = runtime
  }

  /// Runs from the world's present to its end or to `limit`, whichever is sooner, then stops the
  /// runtime in an orderly way. Returns that time.
  /// - Parameter progress: called with the present time about once per virtual hour.
  public func run(
    until limit: BootInstant, progress: (BootInstant) -> Void = { _ in }
  ) -> BootInstant {
    runtime.start(restoring: nil, at: world.now)
    pass(until: limit, progress: progress)
    runtime.stop(at: world.now)
    return world.now
  }

  /// Lets time pass to the world's end or to `limit`, whichever is sooner, with a started runtime.
  public func pass(until limit: BootInstant, progress: (BootInstant) -> Void = { _ in }) {
    var nextProgress = world.now + .hours(1)
    while world.now < limit {
      let next = BootInstant.earlier(world.nextEvent, runtime.nextDue) ?? limit
      world.advance(to: min(max(next, world.now), limit))
      if let end = world.end, world.now >= end { return }
      // Virtual endpoints have no descriptor, so each is served in every step.
      for endpoint in runtime.endpoints {
        runtime.serve(endpoint, at: world.now, isReady: true)
      }
      if let due = runtime.nextDue, due <= world.now { runtime.timePassed(at: world.now) }
      if world.now >= nextProgress {
        progress(world.now)
        nextProgress = world.now + .hours(1)
      }
    }
  }
}
