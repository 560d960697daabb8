import Core
import Testing

@testable import Hardware

/// Evaluation of a server's answer.
@Suite struct LookUpAnswerTests {
  private static func answer(_ text: String, _ status: Int = 200) -> LookUpAnswer {
    LookUpAnswer(status: status, body: Array(text.utf8))
  }

  @Test("a location with a 95 % radius is converted to a 68 % radius")
  func located() {
    guard
      case .located(let position, let accuracy) = Self.answer(
        #"{"location":{"lat":52.09,"lng":5.12},"accuracy":100}"#)
    else { return #expect(Bool(false), "it is a location") }
    #expect(position == Coordinate(latitude: 52.09, longitude: 5.12))
    #expect(abs(accuracy.value - 61.67) < 0.01)
  }

  @Test("a fallback, and 404, mean that the server has no position") func unknown() {
    #expect(
      Self.answer(#"{"location":{"lat":52,"lng":5},"accuracy":9000,"fallback":"lacf"}"#)
        == .unknown)
    #expect(Self.answer(#"{"error":{"code":404,"message":"Not found"}}"#, 404) == .unknown)
  }

  @Test(
    "an invalid answer is refused with the reason",
    arguments: [
      "", "no", "[]", "{}", #"{"location":null}"#,
      #"{"location":{"lat":"52","lng":5},"accuracy":1}"#,
      #"{"location":{"lat":91,"lng":5},"accuracy":1}"#,
      #"{"location":{"lat":0,"lng":0},"accuracy":1}"#,
      #"{"location":{"lat":52,"lng":5}}"#, #"{"location":{"lat":52,"lng":5},"accuracy":0}"#,
      #"{"location":{"lat":52,"lng":5},"accuracy":-4}"#,
      #"{"location":{"lat":52,"lng":5},"accuracy":1e300}"#, "\u{0}{",
    ])
  func nonsense(_ text: String) {
    guard case .refused(let why) = Self.answer(text) else {
      return #expect(Bool(false), "\(text) is no answer")
    }
    #expect(!why.isEmpty)
  }

  @Test("each HTTP status has its reason", arguments: [400, 401, 403, 429, 500, 503, 301, 0])
  func statuses(_ status: Int) {
    guard case .refused(let why) = Self.answer("{}", status) else {
      return #expect(Bool(false), "\(status) is a refusal")
    }
    #expect(why.contains("\(status)"))
  }
}
