import Formats
import Foundation
import Core
import RealData
import Testing

@Suite(
  .enabled(
    if: RealData.has("trajectories"), Comment(rawValue: RealData.absence(of: "trajectories"))))
struct RealTraceTests {
  private func files(_ folder: String) throws -> [String] {
    let path = RealData.folder + "/trajectories/" + folder
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".csv") && !$0.hasPrefix("stops_") }.sorted().map { path + "/" + $0 }
  }

  @Test(
    "every real trace is read completely",
    arguments: [("utrecht-diary", 28), ("mobilitynet/locations", 60), ("google-history-nl", 1)])
  func everyTraceIsReadWhole(folder: String, atLeast: Int) throws {
    let files = try files(folder)
    #expect(files.count >= atLeast)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
      #expect(TraceFormat.detect(head: Array(bytes.prefix(4096))) == .csv)
      let samples = try TraceReader.samples(of: bytes, as: .csv)
      let lines = bytes.count { $0 == 0x0A } + (bytes.last == 0x0A ? 0 : 1)
      #expect(samples.count == lines - 1, "\(file)")
      let years = (UTCInstant(seconds: 1_546_300_800), UTCInstant(seconds: 1_735_689_600))
      #expect(samples.allSatisfy { $0.time > years.0 && $0.time < years.1 }, "\(file)")
      // Swift's own number parsing is the reference.
      let text = String(decoding: bytes, as: UTF8.self)
      let header = text.prefix { $0 != "\n" }.split(separator: ",").map(String.init)
      let column = try #require(header.firstIndex { $0.hasPrefix("lat") })
      for (line, sample) in zip(text.split(separator: "\n").dropFirst(), samples).prefix(500) {
        let cell = line.split(separator: ",", omittingEmptySubsequences: false)[column]
        let latitude = try #require(Double(cell))
        #expect(abs(latitude - sample.position.latitude.value) < 1e-13)
      }
    }
  }
}
