import Core

/// A period in which the truth moves or rests; long ones are divided into several pieces.
struct TruthSegment {
  enum Kind { case moving, resting, unknown }

  let kind: Kind
  let begins: UTCInstant
  var ends: UTCInstant
  /// Whether it continues the previous piece.
  let isContinued: Bool
  /// One per second of a movement; at least one of a rest.
  var moments: [Moment] = []
  /// The number of moments observed, and how many of them were below a roof, and adrift.
  private var seen = 0
  private var underRoof = 0
  private var adrift = 0

  /// The truth at one moment.
  struct Moment {
    let time: UTCInstant
    let position: Coordinate
    let speed: MetresPerSecond
    let reception: Reception

    init(_ state: TrueState, at time: UTCInstant) {
      self.time = time
      position = state.position
      speed = state.speed
      reception = state.reception
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
    if moment.reception.isRoof { underRoof += 1 }
    // A mooring causes centimetres per second; a board on a table does not move.
    if moment.speed > 0.005 { adrift += 1 }
    if kind == .moving || moments.isEmpty { moments.append(moment) }
  }

  /// Below a roof for most of it.
  var isUnderRoof: Bool { seen > 0 && underRoof * 2 >= seen }

  /// Whether it is a rest afloat, or in wind: slow drift for nearly all of the time, which does not
  /// occur at rest.
  var isAfloat: Bool { kind == .resting && duration >= 60 && adrift * 10 >= seen * 9 }

  /// The truth at a moment of it.
  func moment(at time: UTCInstant) -> Moment? {
    // There is one per second, so the index is nearly known.
    var index = min(max(0, Int((time - begins).value)), moments.count - 1)
    guard index >= 0 else { return nil }
    while index > 0, moments[index].time > time { index -= 1 }
    while index + 1 < moments.count, moments[index + 1].time <= time { index += 1 }
    return moments[index]
  }

  /// Whether it goes beyond that distance.
  func leaves(_ position: Coordinate, beyond limit: Metres) -> Bool {
    // In reverse order, because most movements leave.
    moments.reversed().contains { Sphere.distance($0.position, position) > limit }
  }
}

extension Reception {
  /// There is no reception, or only through a wall.
  var isRoof: Bool { self == .indoors || self == .none }
}
