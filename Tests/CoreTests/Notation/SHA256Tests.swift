import Testing

@testable import Core

/// Checked against the examples of FIPS 180-2, appendix B, and sha256sum(1).
@Suite struct SHA256Tests {
  private static let millionA = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"

  private func digest(_ text: String, pieces: Int) -> String {
    var hash = SHA256()
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      hash.update(bytes[start..<min(start + pieces, bytes.count)])
    }
    return hash.digest
  }

  @Test(
    "the examples of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(text: String, expected: String) {
    for pieces in [1, 7, 64, 1000] { #expect(digest(text, pieces: pieces) == expected) }
  }

  @Test("a million bytes have one digest, however they are split") func pieces() {
    let text = String(repeating: "a", count: 1_000_000)
    for pieces in [63, 64, 65, 100_000] { #expect(digest(text, pieces: pieces) == Self.millionA) }
  }
}
