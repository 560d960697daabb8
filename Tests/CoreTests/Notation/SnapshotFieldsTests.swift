import Core
import Testing

@Suite struct SnapshotFieldsTests {
  struct Part: Equatable, Sendable {
    var length: Metres = 1
    var name: String?
  }

  struct Whole: Equatable, Sendable {
    var count = 7
    var isSet = true
    var position = Coordinate(latitude: 1, longitude: 2)
    var speed = Double.nan
    var part = Part()
    var other: Part?

    static let part = SnapshotFields<Part>([
      .required("length_m", \.length, .of(.number(0...10))),
      .optional("name", \.name, .text(1...3)),
    ])

    static let fields = SnapshotFields<Whole>([
      .kept("count", \.count, .count(0...100)), .required("set", \.isSet, .flag),
      .position(\.position), .defaulted("speed", \.speed, .number(0...50), .nan),
      .part("part", \.part, part), .optional("other", \.other, part.coding(onto: Part())),
    ])

    /// A NaN is not equal to itself, so the texts are compared.
    var text: String { Self.fields.snapshot(of: self).text }
  }

  let text =
    "{\"count\":3,\"set\":false,\"latitude\":-5.25,\"longitude\":6,\"speed\":2.5,"
    + "\"part\":{\"length_m\":4,\"name\":\"ab\"},\"other\":{\"length_m\":5,\"name\":null}}"

  func restored(_ text: String) throws -> Whole? {
    Whole.fields.restored(try JSONValue(parsing: text), onto: Whole())
  }

  @Test("a snapshot is written as it was read, names in the order of the fields")
  func roundTrip() throws {
    let whole = try #require(try restored(text))
    #expect(whole.count == 3 && !whole.isSet && whole.speed == 2.5)
    #expect(whole.position == Coordinate(latitude: -5.25, longitude: 6))
    #expect(whole.part == Part(length: 4, name: "ab") && whole.other == Part(length: 5))
    #expect(whole.text == text)
    #expect(
      Whole().text
        == "{\"count\":7,\"set\":true,\"latitude\":1,\"longitude\":2,\"speed\":null,"
        + "\"part\":{\"length_m\":1,\"name\":null},\"other\":null}")
  }

  @Test("the fields of an absent part are null, and reading them creates one")
  func absentPart() throws {
    let fields = SnapshotFields<Whole>([
      SnapshotField<Part>.required("length_m", \.length, .of(.number(0...10)))
        .of(\.other, onto: Part()),
      SnapshotField<Part>.optional("name", \.name, .text(1...3)).of(\.other, onto: Part()),
    ])
    #expect(fields.snapshot(of: Whole()).text == "{\"length_m\":null,\"name\":null}")
    let written = try JSONValue(parsing: "{\"length_m\":4,\"name\":\"ab\"}")
    #expect(fields.restored(written, onto: Whole())?.other == Part(length: 4, name: "ab"))
    let damaged = try JSONValue(parsing: "{\"length_m\":null,\"name\":\"ab\"}")
    #expect(fields.restored(damaged, onto: Whole()) == nil)
  }

  @Test("nil values may be left out, alone or with all members of their part")
  func leftOut() throws {
    let fields = SnapshotFields<Whole>([
      .required("n", \.count, .count(0...100)),
      .omittable("p", \.other, Whole.part.coding(onto: Part())),
      .members(
        \.other, onto: Part(),
        [
          .required("length_m", \.length, .of(.number(0...10))),
          .omittable("name", \.name, .text(1...3)),
        ]),
    ])
    #expect(fields.snapshot(of: Whole()).text == "{\"n\":7}")
    var whole = Whole()
    whole.other = Part(length: 4)
    let text = "{\"n\":7,\"p\":{\"length_m\":4,\"name\":null},\"length_m\":4}"
    #expect(fields.snapshot(of: whole).text == text)
    for (written, part) in [
      (text, Part(length: 4)),
      ("{\"n\":7,\"length_m\":3,\"name\":\"a\"}", Part(length: 3, name: "a")),
      ("{\"n\":7,\"length_m\":3,\"name\":5}", Part(length: 3)), ("{\"n\":7,\"name\":\"a\"}", nil),
      ("{\"n\":7,\"length_m\":11}", nil),
    ] {
      #expect(fields.restored(try JSONValue(parsing: written), onto: whole)?.other == part)
    }
  }

  @Test("null leaves a kept value unchanged")
  func keptOptional() throws {
    let fields = SnapshotFields<Whole>([.kept("p", \.other, Whole.part.coding(onto: Part()))])
    #expect(fields.snapshot(of: Whole()).text == "{\"p\":null}")
    var whole = Whole()
    whole.other = Part(length: 4)
    for (written, length) in [("{\"p\":null}", 4), ("{}", 4), ("{\"p\":{\"length_m\":5}}", 5)] {
      let restored = fields.restored(try JSONValue(parsing: written), onto: whole)
      #expect(restored?.other?.length == Metres(Double(length)))
    }
  }

  @Test(
    "a damaged required field makes the whole invalid",
    arguments: [
      ("\"set\":false", "\"set\":0"), ("\"set\":false,", ""), ("-5.25", "-95.25"),
      ("\"longitude\":6", "\"longitude\":\"6\""),
    ])
  func refusal(sound: String, damaged: String) throws {
    #expect(text.contains(sound))
    #expect(try restored(text.replacing(sound, with: damaged)) == nil)
  }

  @Test("other damage falls back to the field's default")
  func fallBack() throws {
    #expect(try restored(text.replacing("3", with: "101"))?.count == 7)
    #expect(try restored(text.replacing("3", with: "3.5"))?.count == 7)
    #expect(try restored(text.replacing("2.5", with: "51"))?.speed.isNaN == true)
    #expect(try restored(text.replacing("ab", with: "abcd"))?.part.name == .some(nil))
    #expect(try restored(text.replacing("\"length_m\":4", with: "\"length_m\":-4"))?.part == Part())
    #expect(try restored(text.replacing("\"length_m\":5", with: "\"x\":5"))?.other == .some(nil))
    #expect(try restored("{}") == nil)
    #expect(try restored("[]") == nil)
    #expect(Whole.fields.restored(nil, onto: Whole()) == nil)
  }

  @Test("a list holds the values in the order of the fields; an incomplete one is refused")
  func list() throws {
    let fields = SnapshotFields<Whole>(
      [
        .required("set", \.isSet, .flag), .position(\.position), .kept("n", \.count, .count(0...9)),
      ],
      as: .list)
    #expect(fields.snapshot(of: Whole()).text == "[true,1,2,7]")
    func restored(_ text: String) throws -> Whole? {
      fields.restored(try JSONValue(parsing: text), onto: Whole())
    }
    #expect(try restored("[false,3,4,5]")?.position == Coordinate(latitude: 3, longitude: 4))
    #expect(try restored("[false,3,4,10]")?.count == 7)
    for damaged in ["[false,3,4]", "[false,3,4,5,6]", "{}", "[3,4,5,false]", "null"] {
      #expect(try restored(damaged) == nil, "\(damaged)")
    }
  }

  @Test("conflicting fields are refused, values merge, and a part provides its field")
  func checks() throws {
    let coding = SnapshotFields<Part>([.required("length_m", \.length, .of(.number(0...10)))])
      .coding(onto: Part()) { $0.length < 5 }
    #expect(coding.value(try JSONValue(parsing: "{\"length_m\":4}")) == Part(length: 4))
    #expect(coding.value(try JSONValue(parsing: "{\"length_m\":6}")) == nil)
    let highest = SnapshotFields<Whole>([
      .required("n", \.count, .count(0...100), merge: { max($0, $1) }),
      SnapshotField<Part>.kept("length_m", \.length, .of(.number(0...10))).of(\.part),
      .required("other", \.other, Whole.part.coding(onto: Part())),
    ])
    let low = try JSONValue(parsing: "{\"n\":2,\"length_m\":3,\"other\":{\"length_m\":5}}")
    let whole = try #require(highest.restored(low, onto: Whole()))
    #expect(whole.count == 7 && whole.part.length == 3)
    let without = try JSONValue(parsing: "{\"n\":20,\"length_m\":3,\"other\":null}")
    #expect(highest.restored(without, onto: Whole()) == nil)
  }
}
