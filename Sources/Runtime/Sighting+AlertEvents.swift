import Core
import Places
import Tracking

extension Sighting {
  /// What has changed since an earlier sighting, in the required order: first whether the board may
  /// have moved, then where it is.
  func alertEvents(since before: Sighting) -> [AlertEvent] {
    var events: [AlertEvent] = []
    if isMotionSensed != before.isMotionSensed { events.append(.sensing(isMotionSensed)) }
    if rest != before.rest || isMonitored != before.isMonitored {
      switch rest {
      case .resting(let since):
        events.append(.places(.still(since: since)))
        if isMonitored { events.append(.places(.presence(.resting(since: since)))) }
      case .moving(let since):
        events.append(.places(.still(since: nil)))
        events.append(.places(.presence(.moving(since: since))))
      case .unknown: events.append(.places(.still(since: nil)))
      }
    }
    if lastTrigger != before.lastTrigger, lastTrigger != nil { events.append(.shaken) }
    if locations != before.locations, let location {
      events.append(.places(.presence(.located(location))))
    }
    if failedSearches != before.failedSearches {
      events.append(.places(.presence(.searchFailed)))
    }
    return events
  }
}
