/// Texts in C's form: a list that ends with NULL, and in which NULL stands for nil.
struct CStrings {
  private var bytes: [CChar] = []
  private var offsets: [Int?] = []

  init(_ texts: [String?]) {
    for text in texts {
      offsets.append(text == nil ? nil : bytes.count)
      guard let text else { continue }
      bytes += text.utf8.map { CChar(bitPattern: $0) }
      bytes.append(0)
    }
  }

  func with<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      let pointers = offsets.map { offset in
        offset.flatMap { bytes.baseAddress?.advanced(by: $0) }
      }
      // The terminating NULL alone makes it one pointer long.
      return (pointers + [nil]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }
  }
}
