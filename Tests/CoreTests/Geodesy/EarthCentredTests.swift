import Core
import Testing

@Suite struct EarthCentredTests {
  /// Conversion there and back with the closed forward formula.
  @Test("a position survives conversion to earth-centred coordinates and back")
  func comesBack() throws {
    for (position, height) in [
      ((0.0, 0.0), 0.0), ((52.0, 5.0), 100), ((-33.9, 151.2), 0), ((89.9, -120), 1000),
      ((45, 180), 20_000_000),
    ] {
      let found = try #require(Self.cartesian(position.0, position.1, height).geodetic)
      #expect(abs(found.position.latitude.value - position.0) < 1e-10)
      #expect(abs(found.position.longitude.value.magnitude - position.1.magnitude) < 1e-10)
      #expect(abs(found.height.value - height) < 1e-5)
    }
  }

  /// gpsd's own conversion of a position in a recording of a u-blox M8T.
  @Test("it agrees with gpsd") func agreesWithGpsd() throws {
    let found = try #require(
      EarthCentred(x: -2_386_071.16, y: -3_922_189.40, z: 4_414_361.02).geodetic)
    #expect(abs(found.position.latitude.value - 44.068_817_081) < 1e-9)
    #expect(abs(found.position.longitude.value - -121.314_317_437) < 1e-9)
    #expect(abs(found.height.value - 1110.2328) < 1e-4)
  }

  @Test("a point deep inside the Earth has no position") func theInnerEarthIsNoPlace() {
    #expect(EarthCentred(x: 0, y: 0, z: 0).geodetic == nil)
    #expect(EarthCentred(x: .init(.nan), y: 0, z: 0).geodetic == nil)
  }

  /// The forward conversion, which has a closed form.
  private static func cartesian(_ latitude: Double, _ longitude: Double, _ height: Double)
    -> EarthCentred
  {
    let (sinB, cosB) = (sine(latitude), sine(90 - latitude))
    let (sinL, cosL) = (sine(longitude), sine(90 - longitude))
    let e2 = 0.006_694_379_990_141_32
    let n = 6_378_137 / (1 - e2 * sinB * sinB).squareRoot()
    return EarthCentred(
      x: Metres((n + height) * cosB * cosL), y: Metres((n + height) * cosB * sinL),
      z: Metres((n * (1 - e2) + height) * sinB))
  }

  private static func sine(_ degrees: Double) -> Double {
    var term = degrees * .pi / 180
    let square = term * term
    var sum = term
    for k in 1..<20 {
      term *= -square / Double(2 * k * (2 * k + 1))
      sum += term
    }
    return sum
  }
}
