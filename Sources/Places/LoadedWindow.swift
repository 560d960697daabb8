import Core
import Records

/// The window whose places are loaded, and the requests for the places of the next one.
struct LoadedWindow: Sendable {
  /// Nil before the first answer.
  private(set) var current: PlaceWindow?
  /// The requested window, until the answer.
  private var requested: PlaceWindow?
  /// The window before, if its list of places was complete.
  private var before: PlaceWindow?
  private var requests = 0
  /// Whether there are more places in the window than can be monitored.
  private(set) var isCrowded = false

  /// Whether a request to the store is pending.
  var isWaiting: Bool { requested != nil }

  func contains(_ position: Coordinate) -> Bool {
    (requested ?? current)?.box.contains(position) == true
  }

  /// Whether a new region lies beyond the window before, in which the board has been until now:
  /// among many places the window is small, and a car reaches the next place before two locations
  /// have shown it outside.
  func isBeyond(_ region: PlaceRegion, from last: Location) -> Bool {
    guard let before else { return false }
    return before.depth(of: last.position) > last.accuracy
      && region.signedDistance(from: before.centre) > before.radius
  }

  /// The window follows the board: a new one is requested in its outer half.
  mutating func follow(_ location: Location, _ effects: inout [PlaceEffect]) {
    // An inaccurate location does not justify a new window.
    if let window = requested ?? current,
      window.depth(of: location.position) - min(location.accuracy, window.radius / 4)
        > window.radius / 2
    {
      return
    }
    move(to: location.position, &effects)
  }

  mutating func move(to centre: Coordinate, _ effects: inout [PlaceEffect]) {
    request(PlaceWindow(around: centre, radius: current?.radius), &effects)
  }

  /// Places or the required zones have changed.
  mutating func repeatRequest(_ effects: inout [PlaceEffect]) {
    if let window = requested ?? current { request(window, &effects) }
  }

  private mutating func request(_ window: PlaceWindow, _ effects: inout [PlaceEffect]) {
    requested = window
    requests += 1
    effects.append(.find(near: window.box, atMost: PlaceWindow.most, request: requests))
  }

  /// - Returns: whether the places are those to monitor: the answer is the newest, and the width of
  ///   the window is suitable.
  mutating func answered(
    _ request: Int, with places: [Place], isCut: Bool, _ effects: inout [PlaceEffect]
  ) -> Bool {
    guard request == requests, let requested else { return false }
    let count = isCut ? PlaceWindow.most + 1 : places.count { !$0.isFollowing }
    if let other = requested.resized(for: count) {
      self.request(other, &effects)
      return false
    }
    before = isCrowded ? nil : current
    current = requested
    self.requested = nil
    isCrowded = isCut
    return true
  }
}
