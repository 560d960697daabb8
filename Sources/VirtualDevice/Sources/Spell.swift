import Core

/// A time over which the truth moves or rests; long ones come in several pieces.
struct Spell {
  enum Kind { case moving, resting, unknown }

  let kind: Kind
  let begins: UTCInstant
  var ends: UTCInstant
  /// Whether it goes on with what the one before it was.
  let isContinued: Bool
  /// One a second of a movement; one at least of a rest.
  var moments: [Moment] = []
  /// How many moments of a rest were seen, how many of them under a roof, and adrift.
  private var seen = 0
  private var underRoof = 0
  private var adrift = 0

  /// The truth at one moment.
  struct Moment {
    let time: UTCInstant
    let position: Coordinate
    let speed: MetresPerSecond
    let sky: Sky

    init(_ state: TrueState, at time: UTCInstant) {
      self.time = time
      position = state.position
      speed = state.speed
      sky = state.sky
    }
  }

  init(_ kind: Kind, from begins: UTCInstant, isContinued: Bool) {
    self.kind = kind
    self.begins = begins
    ends = begins
    self.isContinued = isContinued
  }

  var duration: Seconds { ends - begins }

  mutating func see(_ moment: Moment) {
    seen += 1
    if moment.sky.isRoof { underRoof += 1 }
    // A mooring gives centimetres a second; a board on a table none at all.
    if moment.speed > 0.005 { adrift += 1 }
    if kind == .moving || moments.isEmpty { moments.append(moment) }
  }

  /// Under a roof for most of it.
  var isUnderRoof: Bool { seen > 0 && underRoof * 2 >= seen }

  /// Whether a rest is one afloat, or in wind: it drifts slowly for nearly all of the time, which a
  /// board that is at rest never does.
  var isAfloat: Bool { kind == .resting && duration >= 60 && adrift * 10 >= seen * 9 }

  /// The truth at a moment of it.
  func moment(at time: UTCInstant) -> Moment? {
    // There is one a second, so that the wanted one is near.
    var index = min(max(0, Int((time - begins).value)), moments.count - 1)
    guard index >= 0 else { return nil }
    while index > 0, moments[index].time > time { index -= 1 }
    while index + 1 < moments.count, moments[index + 1].time <= time { index += 1 }
    return moments[index]
  }

  /// Whether it gets farther away from there.
  func leaves(_ position: Coordinate, beyond limit: Metres) -> Bool {
    // The last one first: most movements leave.
    moments.reversed().contains { Sphere.distance($0.position, position) > limit }
  }
}

extension Sky {
  /// The antenna sees nothing, or only through a wall.
  var isRoof: Bool { self == .indoors || self == .none }
}
