import Foundation
import Core
import TestSupport
import Testing

@testable import Config

/// The parser against damaged texts, with Python's `tomllib` as the reference.
@Suite struct TOMLFuzzTests {
  @Test("damaged texts are read or refused, and never crash") func damagedTextsNeverCrash() {
    var random = SplitMix(seed: 20_260_501)
    var accepted = 0
    for _ in 0..<30_000 {
      let bytes = Self.damaged(&random)
      guard let table = try? TOMLParser.parse(bytes, file: "fuzz") else { continue }
      accepted += 1
      #expect(table == table)
    }
    // Both outcomes must occur often, or the damage is too weak or too strong to test anything.
    #expect(accepted > 1000)
    #expect(accepted < 29_000)
  }

  @Test(
    "it agrees with Python's tomllib",
    .enabled(if: Python.hasTomllib, "python3 3.11 or newer with tomllib is not installed"))
  func agreesWithTomllib() throws {
    var random = SplitMix(seed: 7)
    var texts = Self.corpus.map { Array($0.utf8) }
    while texts.count < 20_000 {
      let text = Self.damaged(&random)
      // tomllib accepts only text, so bytes that are not UTF-8 are left out.
      if String(validating: text, as: UTF8.self) != nil { texts.append(text) }
    }
    let opinions = try Python.canonical(texts)
    #expect(opinions.count == texts.count)
    #expect(opinions.count { $0.hasPrefix("{") } > 1000)
    for (text, opinion) in zip(texts, opinions) where opinion != "beyond" {
      let ours = (try? TOMLParser.parse(text, file: "t")).map { CanonicalTOML.table($0) }
      #expect(ours ?? "refused" == opinion, "\(String(decoding: text, as: UTF8.self))")
    }
  }

  static let corpus = [
    """
    # comment
    title = "TOML"\nint = [1, -2, 0x1F, 0o17, 0b11, 1_000]
    float = [1.5, -3e2, 6.02e+23, inf, -inf, nan]
    flags = { yes = true, no = false, "q k".x = 'lit' }
    """,
    """
    [a]\nx = 1979-05-27T07:32:00Z\ny = 1979-05-27 00:32:00.999999-07:00
    z = [1979-05-27, 07:32:00, 1979-05-27T07:32:00]
    [a.b]\n"" = '''\nraw'''\n[[c]]\nd.e = 1\nd.f = 2\n[[c]]\n[[c.g]]\n[c.g.h]
    """,
    "m = \"\"\"\nline \\\n   next \\u00e9\"\"\"\nn = ''''two''''\r\no = \"\\t\\\"\"\r\n",
    "[x.y.z]\n[x]\na.b = 1\n[x.y]\nc = [[1], [\"a\", {k = 1}]]\n", "a.b.c = 1\na.b.d = {e.f = 2}\n",
    "[fruit]\napple.color = 1\napple.taste.sweet = true\n[fruit.apple.texture]\nsmooth = true\n",
  ]

  /// Pieces that the damage inserts often: each has a meaning somewhere in TOML.
  static let pieces = [
    "[", "]", "[[", "]]", "{", "}", "=", ".", ",", "\"", "\"\"\"", "'", "'''", "\\", "\n", "\r\n",
    "#", "_", "-", "+", "0", "1", "e", "x", "inf", "nan", "true", "\\u0041", "1979-05-27",
    "07:32:00", "T", "Z", " ", "\t", "a", "a.b", "[a]", "[[c]]", "a = 1", "é", "\u{1}", "\r",
  ]

  static func damaged(_ random: inout SplitMix) -> [UInt8] {
    var bytes = Array(corpus[Int.random(in: 0..<corpus.count, using: &random)].utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where index < bytes.count: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1 where index < bytes.count: bytes.remove(at: index)
      case 2:
        let end = Int.random(in: index...bytes.count, using: &random)
        bytes.insert(contentsOf: bytes[index..<end].prefix(40), at: index)
      default:
        let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
        bytes.insert(contentsOf: piece.utf8, at: index)
      }
    }
    return bytes
  }
}

/// One spelling per value, identical here and in the Python program below.
enum CanonicalTOML {
  static func table(_ table: WrittenTable) -> String {
    let pairs = table.keys.map { (hex($0), table[$0].map { value($0) } ?? "") }
    return "{" + pairs.sorted { $0.0 < $1.0 }.map { "\($0.0):\($0.1)" }.joined(separator: ",") + "}"
  }

  static func value(_ value: WrittenValue) -> String {
    switch value.content {
    case .string(let text): "s" + hex(text)
    case .integer(let number): "i\(number)"
    case .float(let number): number.isNaN ? "fnan" : "f" + String(number.bitPattern, radix: 16)
    case .bool(let flag): flag ? "b1" : "b0"
    case .dateTime(let moment): "d" + parts(moment)
    case .array(let items): "[" + items.map { self.value($0) }.joined(separator: ",") + "]"
    case .table(let table): self.table(table)
    }
  }

  /// "date|time|offset in minutes" from a text that the parser has accepted.
  static func parts(_ moment: String) -> String {
    let isDated = moment.dropFirst(4).first == "-"
    let date = isDated ? moment.prefix(10).split(separator: "-").map { Int($0) ?? 0 } : []
    let clock = isDated ? moment.dropFirst(11) : moment[...]
    let digits = clock.prefix { $0.isNumber || $0 == ":" || $0 == "." }
    var time = digits.split { $0 == ":" || $0 == "." }.prefix(3).map { Int($0) ?? 0 }
    if !digits.isEmpty {
      let decimals = digits.split(separator: ".").dropFirst().first ?? ""
      time.append(Int((decimals + "000000").prefix(6)) ?? 0)
    }
    var offset = clock.dropFirst(digits.count)
    var minutes = ""
    if let sign = offset.popFirst() {
      let parts = offset.split(separator: ":").map { Int($0) ?? 0 }
      let amount = parts.count == 2 ? parts[0] * 60 + parts[1] : 0
      minutes = "\(sign == "-" ? -amount : amount)"
    }
    let texts = [date.map(String.init), time.map(String.init)]
    return texts[0].joined(separator: "-") + "|" + texts[1].joined(separator: ":") + "|" + minutes
  }

  static func hex(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

enum Python {
  static let hasTomllib = (try? run("import tomllib", input: Data())) != nil

  static func canonical(_ texts: [[UInt8]]) throws -> [String] {
    let lines = texts.map { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    let output = try run(program, input: Data(lines.joined(separator: "\n").utf8))
    return output.split(separator: "\n").map(String.init)
  }

  struct Failed: Error {}

  static func run(_ program: String, input: Data) throws -> String {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("godwit-toml-\(UUID().uuidString)")
    try input.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program, file.path]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed() }
    return String(decoding: data, as: UTF8.self)
  }

  static let program = """
    import datetime, struct, sys, tomllib
    class Beyond(Exception): pass
    def time(t): return f"{t.hour}:{t.minute}:{t.second}:{t.microsecond}"
    def date(d): return f"{d.year}-{d.month}-{d.day}"
    def value(v):
        if isinstance(v, bool): return "b1" if v else "b0"
        if isinstance(v, str): return "s" + v.encode().hex()
        if isinstance(v, int):
            if not -2**63 <= v < 2**63: raise Beyond
            return f"i{v}"
        if isinstance(v, float):
            return "fnan" if v != v else "f%x" % struct.unpack(">Q", struct.pack(">d", v))
        if isinstance(v, datetime.datetime):
            o = v.utcoffset()
            minutes = "" if o is None else str(int(o.total_seconds()) // 60)
            return f"d{date(v)}|{time(v)}|{minutes}"
        if isinstance(v, datetime.date): return f"d{date(v)}||"
        if isinstance(v, datetime.time): return f"d|{time(v)}|"
        if isinstance(v, list): return "[" + ",".join(map(value, v)) + "]"
        pairs = sorted((k.encode().hex(), value(x)) for k, x in v.items())
        return "{" + ",".join(f"{k}:{x}" for k, x in pairs) + "}"
    for line in open(sys.argv[1]).read().split("\\n"):
        text = bytes.fromhex(line).decode()
        try: print(value(tomllib.loads(text)))
        except tomllib.TOMLDecodeError: print("refused")
        except (Beyond, RecursionError): print("beyond")
    """
}
