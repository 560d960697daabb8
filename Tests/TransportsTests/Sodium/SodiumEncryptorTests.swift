import CShims
import Delivery
import Formats
import Ports
import Transports
import TestSupport
import Testing

/// Encrypted messages, against PyNaCl, which uses the same construction, and with tampered bytes.
@Suite(.enabled(if: godwit_sodium_load() == nil, "SKIPPED: libsodium23 is not installed"))
struct SodiumEncryptorTests {
  private static let location = Array(
    #"{"_type":"location","lat":52.09,"lon":5.12,"tst":1777593600,"acc":4}"#.utf8)

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16) }.joined()
  }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  private func encrypt(_ passphrase: String = "s3cr3t") throws -> SodiumEncryptor {
    try SodiumEncryptor(passphrase: Secret(passphrase))
  }

  private func isRefused(_ encrypted: [UInt8], by encryptor: SodiumEncryptor) -> Bool {
    do throws(PortError) {
      _ = try encryptor.open(encrypted)
      return false
    } catch {
      if case .refused = error { return true }
      return false
    }
  }

  @Test("an encrypted message is decrypted with the same passphrase, whatever its length")
  func roundTrip()
    throws
  {
    var random = SplitMix(seed: 1)
    for count in [0, 1, 15, 16, 17, 63, 64, 65, 1000, 300_000] {
      let plain = random.bytes(count)
      let encrypted = try encrypt().encrypt(plain)
      #expect(encrypted.count == count + SodiumEncryptor.overhead)
      #expect(try encrypt().open(encrypted) == plain)
    }
  }

  @Test("the same message is never encrypted with the same nonce again") func nonces() throws {
    let encryptor = try encrypt()
    let nonces = try (0..<1000).map { _ in Array(try encryptor.encrypt(Self.location).prefix(24)) }
    #expect(Set(nonces).count == 1000)
    // A generator that gives zeros would yield one nonce, too.
    #expect(nonces.allSatisfy { Set($0).count > 5 })
  }

  @Test("a message that PyNaCl encrypted under its own nonce is decrypted") func golden() throws {
    let encrypted = Self.bytes(
      "000102030405060708090a0b0c0d0e0f101112131415161751bbfb99e4890b9c179e59f7"
        + "73a5e58a87980cab27a4da8dac7a015e24f5e91fad731a8b03c20443a4266eaf436ecd07"
        + "44780f03014da5adfa33157298caa087185e8a6f00563957b8a13303d598a901b437634f")
    #expect(try encrypt().open(encrypted) == Self.location)
  }

  @Test("one changed bit, anywhere, is detected") func bits() throws {
    let encryptor = try encrypt()
    let encrypted = try encryptor.encrypt(Self.location)
    for bit in 0..<encrypted.count * 8 {
      var changed = encrypted
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(isRefused(changed, by: encryptor), "bit \(bit)")
    }
  }

  @Test("truncated, extended, joined and invalid messages are refused")
  func pieces() throws {
    let encryptor = try encrypt()
    let encrypted = try encryptor.encrypt(Self.location)
    let other = try encryptor.encrypt(Self.location)
    for count in 0..<encrypted.count {
      #expect(isRefused(Array(encrypted.prefix(count)), by: encryptor), "\(count) bytes")
    }
    #expect(isRefused(encrypted + [0], by: encryptor))
    #expect(isRefused([0] + encrypted, by: encryptor))
    #expect(isRefused(Array(encrypted.prefix(24) + other.dropFirst(24)), by: encryptor))
    var random = SplitMix(seed: 2)
    for count in 0..<200 { #expect(isRefused(random.bytes(count), by: encryptor)) }
    #expect(isRefused([UInt8](repeating: 0, count: 100), by: encryptor))
  }

  @Test("another passphrase decrypts nothing; trailing zeros equal the padding")
  func passphrases() throws {
    let encrypted = try encrypt("s3cr3t").encrypt(Self.location)
    for other in ["s3cr3T", "s3cr3", "s3cr3t ", "S3cr3t", " s3cr3t"] {
      #expect(isRefused(encrypted, by: try encrypt(other)), "\(other)")
    }
    #expect(try encrypt("s3cr3t\0").open(encrypted) == Self.location)
  }

  @Test("a passphrase has 1 to 32 bytes, counted in UTF-8; the error does not reveal it")
  func lengths() throws {
    _ = try encrypt("x")
    _ = try encrypt(String(repeating: "x", count: 32))
    _ = try encrypt(String(repeating: "é", count: 16))
    let long = [String(repeating: "x", count: 33), String(repeating: "é", count: 17)]
    for (passphrase, words) in zip(long + [""], ["33 bytes", "34 bytes", "is empty"]) {
      let error = thrown(PortError.self) { try encrypt(passphrase) }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(passphrase.isEmpty || error?.message.contains(passphrase) == false)
    }
  }

  @Test("a round trip through OwnTracks' message") func message() throws {
    let encrypted = try encrypt().encrypt(Self.location)
    let written = OwnTracksMessage.encrypted(encrypted).bytes
    guard case .encrypted(let read) = try OwnTracksMessage(parsing: written) else {
      Issue.record("it is read as another message")
      return
    }
    #expect(try encrypt().open(read) == Self.location)
  }

  // MARK: PyNaCl

  // Debian's interpreter, whichever other is on the PATH.
  private static let python = "/usr/bin/python3"

  private static let hasPyNaCl =
    (try? run(python, "-c", "import nacl.secret").status) == 0

  @Test(
    "PyNaCl and this program decrypt each other's messages",
    .enabled(if: hasPyNaCl, "SKIPPED: python3-nacl is not installed"),
    arguments: ["s3cr3t", "x", "Grüße, 北京", "0123456789abcdef0123456789abcdef"])
  func pyNaCl(_ passphrase: String) throws {
    let script = """
      import sys, nacl.secret
      box = nacl.secret.SecretBox(sys.argv[1].encode().ljust(32, b"\\0"))
      print(box.decrypt(bytes.fromhex(sys.argv[2])).hex())
      print(bytes(box.encrypt(bytes.fromhex(sys.argv[3]))).hex())
      """
    var random = SplitMix(seed: 3)
    for count in [0, 1, 64, 1000] {
      let (ours, theirs) = (random.bytes(count), random.bytes(count))
      let encrypted = try encrypt(passphrase).encrypt(ours)
      let result = try run(
        Self.python, "-c", script, passphrase, Self.hex(encrypted), Self.hex(theirs))
      let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
      guard result.status == 0, lines.count >= 2 else {
        Issue.record("PyNaCl says: \(result.output)")
        return
      }
      #expect(String(lines[0]) == Self.hex(ours))
      #expect(try encrypt(passphrase).open(Self.bytes(String(lines[1]))) == theirs)
    }
  }
}
