import Quantities
import Testing
import VirtualDevice

@Suite struct TraceCarrierTests {
  func sample(_ second: Double, _ latitude: Degrees, _ longitude: Degrees = 6) -> TruthSample {
    TruthSample(
      time: morning + Seconds(second), place: Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test func straightAndEvenBetweenSamples() throws {
    let carrier = try #require(TraceCarrier([sample(0, 50), sample(100, 50.01)]))
    let state = try #require(carrier.state(at: morning + 25))
    #expect(abs(state.place.latitude.value - 50.0025) < 1e-9)
    #expect(abs(state.speed.value - 11.1195) < 0.001)
    #expect(state.track == 0)
  }

  @Test func nothingIsKnownInALongGapNorOutside() throws {
    let carrier = try #require(
      TraceCarrier([sample(0, 50), sample(10, 50), sample(500, 51), sample(510, 51)]))
    #expect(carrier.state(at: morning - 1) == nil)
    #expect(carrier.state(at: morning + 5) != nil)
    #expect(carrier.state(at: morning + 250) == nil)
    #expect(carrier.state(at: morning + 505)?.place.latitude == 51)
    #expect(!carrier.hasEnded)
    #expect(carrier.state(at: morning + 511) == nil)
    #expect(carrier.hasEnded)
  }

  @Test func samplesThatGoBackInTimeAreLeftOut() throws {
    let carrier = try #require(
      TraceCarrier([sample(0, 50), sample(10, 50.1), sample(5, 80), sample(10, 80), sample(20, 50)])
    )
    #expect(carrier.state(at: morning + 10)?.place.latitude == 50.1)
    #expect(carrier.samplesOutOfOrder == 2)
  }

  @Test func samplesArePulledOnlyAsTimeGoesOn() throws {
    var pulled = 0
    let carrier = try #require(
      TraceCarrier {
        pulled += 1
        return self.sample(Double(pulled), 50)
      })
    _ = carrier.state(at: morning + 100)
    #expect((100...103).contains(pulled))
  }

  @Test func theAntimeridianIsNoSeam() throws {
    let carrier = try #require(TraceCarrier([sample(0, 0, 179.999), sample(10, 0, -179.999)]))
    let east = try #require(carrier.state(at: morning + 6)).place.longitude
    #expect(east < -179.99)
  }

  @Test func emptyTraceIsNoCarrier() { #expect(TraceCarrier([TruthSample]()) == nil) }
}
