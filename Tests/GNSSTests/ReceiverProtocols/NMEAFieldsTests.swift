import Testing

@testable import GNSS

@Suite struct NMEAFieldsTests {
  /// Reads from the fields of a text and returns whether they were malformed.
  static func read<T>(_ text: String, _ body: (inout NMEAFields) -> T) -> (T, isMalformed: Bool) {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var fields = NMEAFields(bytes)
      let value = body(&fields)
      return (value, fields.isMalformed)
    }
  }

  static let angles: [(text: String, degrees: Double, minutes: Double)] = [
    ("5204.3", 52, 4.3), ("5204.300000000", 52, 4.3), ("0000.0001", 0, 0.0001),
    ("8959.9999999", 89, 59.9999999), ("5504.43432109", 55, 4.43432109), ("0500", 5, 0),
  ]

  @Test("angles keep every digit", arguments: Self.angles)
  func anglesKeepEveryDigit(text: String, whole: Double, minutes: Double) {
    let degrees = whole + minutes / 60
    let (north, isMalformed) = Self.read("\(text),N") { $0.angle("N", "S", limit: 90) }
    #expect(!isMalformed)
    #expect(abs(north - degrees) <= degrees.ulp)
    let (south, _) = Self.read("\(text),S") { $0.angle("N", "S", limit: 90) }
    #expect(south == -north)
  }

  @Test(
    "an invalid angle is malformed",
    arguments: [
      "9000.0001,N", "5260.0,N", "5204.3,X", "5204.3,", "-5204.3,N", "52.04.3,N", "5x04.3,N", ".,N",
      "99999999999999999999,N", "5204.3,NN",
    ])
  func whatIsNoAngleIsMalformed(text: String) {
    let (_, isMalformed) = Self.read(text) { $0.angle("N", "S", limit: 90) }
    #expect(isMalformed)
  }

  @Test("empty fields are absent and not malformed") func emptyFieldsAreAbsentAndNotMalformed() {
    let (values, isMalformed) = Self.read(",,,,,") { fields in
      (
        fields.angle("N", "S", limit: 90), fields.number(), fields.timeOfDay(), fields.whole(),
        fields.letter(), fields.number()
      )
    }
    #expect(!isMalformed)
    #expect(values.0.isNaN && values.1.isNaN && values.5.isNaN)
    #expect(values.2 == -1 && values.3 == -1 && values.4 == 0)
  }

  @Test(
    "times of day keep their fractions and the leap second",
    arguments: [
      ("000000", 0), ("235959.999", 86_399_999_000_000), ("120000.5", 43_200_500_000_000),
      ("235960", 86_400_000_000_000), ("010203.123456789", 3_723_123_456_789),
    ])
  func timesOfDayKeepTheirFractions(text: String, nanoseconds: Int64) {
    let (time, isMalformed) = Self.read(text) { $0.timeOfDay() }
    #expect(!isMalformed)
    #expect(time == nanoseconds || time == nanoseconds / 1000 * 1000)
  }

  @Test(
    "an invalid time of day is malformed",
    arguments: ["240000", "126000", "120061", "-120000", "12:00:00", "1200000000000000000000"])
  func whatIsNoTimeIsMalformed(text: String) {
    let (_, isMalformed) = Self.read(text) { $0.timeOfDay() }
    #expect(isMalformed)
  }

  @Test(
    "numbers are read with any sign, zeros and spaces before them",
    arguments: [
      ("1.5", 1.5), ("-34.0", -34), ("+3", 3), ("00462.5", 462.5), (" 7.25", 7.25), ("-.5", -0.5),
      ("123456.789", 123_456.789), ("0.1", 0.1),
    ])
  func numbersKeepTheirValue(text: String, value: Double) {
    let (number, isMalformed) = Self.read(text) { $0.number() }
    #expect(!isMalformed)
    #expect(number == value)
  }

  @Test("VTG is read in its old and new form") func bothFormsOfVTGAreRead() {
    let new = Self.read("054.7,T,034.4,M,005.5,N,010.2,K") { VTG(&$0) }
    #expect(new.0.track == 54.7 && new.0.speed == 5.5 && !new.isMalformed)
    let old = Self.read("054.7,034.4,005.5,010.2") { VTG(&$0) }
    #expect(old.0.track == 54.7 && old.0.speed == 5.5 && !old.isMalformed)
    let still = Self.read(",T,,M,0.017,N,0.031,K,A") { VTG(&$0) }
    #expect(still.0.track.isNaN && still.0.speed == 0.017 && !still.isMalformed)
  }

  /// Memory after a sentence is not part of it.
  @Test("a text past the last field is empty")
  func textsEndWithTheSentence() {
    let memory = Array("1,2AAAA".utf8)
    memory.withUnsafeBufferPointer { bytes in
      var fields = NMEAFields(UnsafeBufferPointer(rebasing: bytes[..<3]))
      fields.skip(4)
      #expect(fields.text().isEmpty)
      #expect(fields.text().isEmpty)
    }
    #expect(Self.read("1,2") { Array(($0.skip(1), $0.text()).1) }.0 == Array("2".utf8))
    #expect(Self.read("1,") { Array(($0.skip(1), $0.text()).1) }.0.isEmpty)
  }
}
