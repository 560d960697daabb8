import Foundation
import Core
import Testing

@Suite struct Base64Tests {
  @Test("it reads and writes the same as Foundation")
  func agreesWithFoundation() {
    for count in 0...70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ count &* 31) }
      let text = Data(bytes).base64EncodedString()
      #expect(Base64.text(bytes) == text)
      #expect(Base64.text(bytes, isPadded: false) == text.replacing("=", with: ""))
      #expect(Base64.bytes(text) == bytes)
    }
  }

  @Test(
    "malformed text is refused",
    arguments: [
      "A", "AA", "AAA", "AA=A", "A===", "AB==", "AAB=", "AAAA=", "AA-_", "AA A", "=", "é==",
    ]
  )
  func refused(text: String) { #expect(Base64.bytes(text) == nil) }
}
