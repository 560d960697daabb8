import Foundation
import Testing

@testable import Platform

@Suite struct SystemErrorTests {
  @Test(
    "every number has the C library's text", arguments: [Int32(0), 1, 2, 13, 110, 133, 524, -1])
  func textOfTheCLibrary(code: Int32) {
    #expect(SystemError(code: code).text == String(cString: strerror(code)))
  }

  @Test("the last error is that of the call before")
  func lastError() {
    #expect(open("/nowhere/at/all", O_RDONLY) == -1)
    #expect(SystemError.last == SystemError(code: ENOENT))
  }

  @Test("threads do not write over each other's text")
  func manyThreads() {
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      for _ in 0..<2000 {
        let code = Int32(4000 + index)
        #expect(SystemError(code: code).text == "Unknown error \(code)")
      }
    }
  }
}
