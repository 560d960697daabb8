import RadioSignals
import Testing

/// Checked against RFC 4231, whose test case 2 has a short key.
@Suite struct PseudonymsTests {
  @Test("a pseudonym is the beginning of HMAC-SHA256") func rfc4231() {
    let pseudonyms = Pseudonyms(salt: Array("Jefe".utf8))
    #expect(pseudonyms.text("what do ya want for nothing?") == "5bdcc146bf60754e")
    #expect(
      pseudonyms.of("what do ya want for nothing?")
        == Int64(bitPattern: 0x5bdc_c146_bf60_754e))
  }

  @Test("another salt gives another pseudonym, the same salt the same") func salts() {
    let one = Pseudonyms(salt: [UInt8](repeating: 1, count: Pseudonyms.saltSize))
    let two = Pseudonyms(salt: [UInt8](repeating: 2, count: Pseudonyms.saltSize))
    #expect(one.of("00:11:22:33:44:55") != two.of("00:11:22:33:44:55"))
    #expect(
      one.of("00:11:22:33:44:55")
        == Pseudonyms(salt: [UInt8](repeating: 1, count: 16)).of("00:11:22:33:44:55"))
    #expect(one.text("").utf8.count == 16)
  }
}
