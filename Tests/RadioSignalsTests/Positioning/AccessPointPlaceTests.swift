import Core
import Testing

@testable import RadioSignals

@Suite struct AccessPointPlaceTests {
  @Test("an access point is in the middle of where it was received") func middle() {
    let place = Taught.accessPoint(1, east: 40, north: -20, fixes: 40)
    #expect(Sphere.distance(place.position, Taught.place(east: 40, north: -20)) < 2)
    #expect(place.fixes == 40)
    #expect(place.days == 2)
    #expect(place.spread > 3 && place.spread < 8)
    #expect(place.isTrusted)
  }

  @Test("strong signals and accurate fixes have more weight") func weights() {
    var place = AccessPointPlace(PseudonymousSignal(pseudonym: 1, strength: -45), at: Taught.fix())
    place.observe(-85, at: Taught.fix(east: 40, accuracy: 30, minute: 10))
    #expect(Sphere.distance(place.position, Taught.here) < 5)
  }

  @Test("the fixes of one minute count about once") func crowd() {
    var place = AccessPointPlace(PseudonymousSignal(pseudonym: 1, strength: -60), at: Taught.fix())
    for second in 1...50 {
      place.observe(-60, at: Taught.fix(east: 20, minute: Double(second) / 60))
    }
    let offset = Sphere.distance(place.position, Taught.here)
    #expect(offset > 6 && offset < 16, "\(offset)")
  }

  @Test("a single wrong fix does nothing") func wrongFix() {
    var place = Taught.accessPoint(1, east: 0, north: 0)
    let before = place.position
    place.observe(-60, at: Taught.fix(east: 900, minute: 3000))
    #expect(place.position == before)
    #expect(place.isTrusted)
    for minute in 0..<2 { place.observe(-60, at: Taught.fix(minute: 3010 + Double(minute))) }
    #expect(place.doubt == 0)
    #expect(place.rival == nil)
  }

  @Test("an access point that has moved is doubted, then learnt at its new place") func moved() {
    var place = Taught.accessPoint(1, east: 0, north: 0, fixes: 60)
    for number in 0..<2 {
      place.observe(-60, at: Taught.fix(east: 3000, minute: 4000 + Double(number) * 30))
    }
    #expect(!place.isTrusted)
    place.observe(-60, at: Taught.fix(east: 3000, minute: 4100))
    #expect(place.isTrusted)
    #expect(place.moves == 1)
    #expect(Sphere.distance(place.position, Taught.place(east: 3000, north: 0)) < 1)
  }

  @Test("one received elsewhere each time is mobile, and stays so") func mobile() {
    var place = AccessPointPlace(PseudonymousSignal(pseudonym: 1, strength: -50), at: Taught.fix())
    for number in 1...6 {
      place.observe(
        -50, at: Taught.fix(east: Metres(Double(number) * 1500), minute: Double(number) * 60))
    }
    #expect(place.isMobile)
    for number in 0..<50 { place.observe(-50, at: Taught.fix(minute: 1000 + Double(number))) }
    #expect(!place.isTrusted)
  }

  @Test("one that moves repeatedly is mobile") func restless() {
    var place = Taught.accessPoint(1, east: 0, north: 0)
    for home in 1...3 {
      for number in 0..<4 {
        place.observe(
          -60,
          at: Taught.fix(
            east: Metres(Double(home) * 2000), minute: Double(home * 5000 + number * 20)))
      }
    }
    #expect(place.isMobile)
  }

  @Test("for any lessons, the stored values stay finite and bounded")
  func bounded() {
    var place = AccessPointPlace(PseudonymousSignal(pseudonym: 1, strength: -60), at: Taught.fix())
    let strengths: [Double] = [-60, .nan, .infinity, -.infinity, 0, 400, -400]
    for number in 0..<3000 {
      place.observe(
        strengths[number % strengths.count],
        at: Taught.fix(
          east: Metres(Double(number % 7) * 10), accuracy: 1e-9, minute: Double(-number)))
      #expect(place.weight.isFinite && place.weight > 0 && place.weight < 100)
      #expect(place.spread.isFinite && place.strength.isFinite)
    }
  }
}
