import CShims
import Core

/// Sets the options of a request and records the first failure: a missing limit must not go
/// unnoticed.
struct EasyOptions {
  private let easy: UnsafeMutableRawPointer
  private(set) var failure: CURLcode?

  init(_ easy: UnsafeMutableRawPointer) { self.easy = easy }

  mutating func check(_ code: CURLcode) {
    if code != CURLE_OK, failure == nil { failure = code }
  }

  mutating func set(_ option: CURLoption, _ value: Int) {
    check(godwit_curl_set_number(easy, option, value))
  }

  mutating func set(_ option: CURLoption, _ isOn: Bool) { set(option, isOn ? 1 : 0) }

  /// Nil removes the library's default.
  mutating func set(_ option: CURLoption, _ value: String?) {
    check(
      value.map { godwit_curl_set_text(easy, option, $0) }
        ?? godwit_curl_set_text(easy, option, nil))
  }

  /// In milliseconds, for options ending in `_MS`; 0 would mean no limit.
  mutating func set(_ option: CURLoption, milliseconds time: Seconds) {
    set(option, Int(max(1, min(time.value * 1000, 86_400_000))))
  }
}
