import RadioSignals
import FuzzInput
import Core

/// Advertisements from BlueZ, of any device, at any time, with anything else that a radio reports.
public final class BeaconsTarget: FuzzTarget {
  private static let owner = UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")
  private static let mostSteps = 200

  private var station = BeaconController(BeaconSettings())
  private var now = BootInstant.zero
  private var inside: Set<BeaconRegion> = []

  public init() {}

  public func run(_ input: UnsafeBufferPointer<UInt8>) throws(Violation) {
    var bytes = InputBytes(input)
    let isAtRest = bytes.flag()
    station = BeaconController(BeaconSettings { $0.rest = isAtRest ? .never : .still })
    now = .zero
    inside = []
    var steps = 0
    while !bytes.isEmpty, steps < Self.mostSteps {
      steps += 1
      now = now + Seconds(Double(bytes.byte()) / 4)
      let event = try event(&bytes)
      try follow(station.step(event, at: now))
      try follow(station.step(.timePassed, at: now), isWoken: true)
    }
  }

  private func event(_ bytes: inout InputBytes) throws(Violation) -> BeaconStationEvent {
    switch bytes.choice(12) {
    case 0: return .wanted(regions(bytes.byte()))
    case 1: return .expected(bytes.flag())
    case 2:
      let since = bytes.flag() ? now - Seconds(Double(bytes.byte())) : nil
      return .resting(since: since, isFelt: bytes.flag())
    case 3: return .watched(bytes.flag())
    case 4: return .radio(.listening(bytes.flag()))
    case 5: return .radio(.monitors(bytes.flag()))
    case 6: return .radio(bytes.flag() ? .otherDevice : .restarted)
    case 7: return try frame(&bytes).map { .radio(.lost($0.beacon)) } ?? .timePassed
    case 8:
      return try frame(&bytes).map { .radio(.found($0, strength(&bytes))) } ?? .timePassed
    default:
      return try frame(&bytes).map { .radio(.received($0, strength(&bytes))) } ?? .timePassed
    }
  }

  private func regions(_ choice: UInt8) -> [BeaconRegion] {
    guard let owner = Self.owner else { return [] }
    let all: [BeaconRegion] = [
      .iBeacon(uuid: owner, major: nil, minor: nil), .iBeacon(uuid: owner, major: 1, minor: nil),
      .iBeacon(uuid: owner, major: nil, minor: 2),
      .eddystone(namespace: Array(repeating: 0xed, count: 10), instance: nil),
    ]
    return all.indices.filter { choice & 1 << UInt8($0) != 0 }.map { all[$0] }
  }

  /// BlueZ's values are 16 bits wide.
  private func strength(_ bytes: inout InputBytes) -> DecibelMilliwatts {
    DecibelMilliwatts(Double(bytes.flag() ? -Int(bytes.byte()) : bytes.word16() - 32_768))
  }

  /// A frame of the wanted owner from few bytes, or one from arbitrary structures.
  private func frame(_ bytes: inout InputBytes) throws(Violation) -> BeaconFrame? {
    if bytes.flag(), let owner = Self.owner {
      let content =
        [0x02, 0x15] + owner.bytes + [0, bytes.byte() & 3, 0, bytes.byte() & 3, bytes.byte()]
      return BeaconFrame(manufacturerData: content, of: BeaconFrame.apple)
    }
    let data = AdvertisingData(parsing: Array(bytes.take(Int(bytes.byte()))))
    try require(AdvertisingData(parsing: data.bytes) == data, "other structures when written")
    guard let frame = BeaconFrame(data) else { return nil }
    try require(BeaconFrame(frame.advertisingData) == frame, "another beacon when written")
    return frame
  }

  private func follow(
    _ effects: [BeaconStationEffect], isWoken: Bool = false
  ) throws(Violation) {
    for effect in effects {
      switch effect {
      case .entered(let region, let beacon):
        try require(region.contains(beacon), "entered by another's beacon")
        try require(inside.insert(region).inserted, "entered twice")
      case .left(let region, let lastReception):
        try require(inside.remove(region) != nil, "left without having been there")
        try require(lastReception <= now, "heard in the future")
      case .wake(let instant):
        // A wake-up must not request another one at once, for ever.
        guard let instant else { continue }
        try require(isWoken ? instant > now : instant >= now, "a wake in the past")
      case .proximity, .nearest, .listen, .scan, .restart, .recovered: continue
      }
    }
    try require(inside == Set(station.inside), "inside without having entered")
    try require(
      station.nearest.map { inside.contains($0) } ?? inside.isEmpty, "the nearest is elsewhere")
  }
}

#if FUZZING
  private nonisolated(unsafe) let target = BeaconsTarget()

  @_cdecl("LLVMFuzzerTestOneInput")
  public func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    target.serve(start, count)
  }
#endif
