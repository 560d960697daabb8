import Platform
import TestSupport
import Testing

@testable import Store

@Suite struct StoreFilesTests {
  @Test("a store that another program has changed is not untouched")
  func touched() throws {
    let life = try Life(points: 1)
    let files = StoreFiles(life.path)
    let made = try #require(FileStatus(path: life.path))
    #expect(files.areUntouched(since: made))
    let store = try GeoPackageStore(path: life.path)
    try store.write([.trackPoint(point(at: .days(2)))])
    #expect(!files.areUntouched(since: made), "in the log")
    try store.close()
    #expect(!files.areUntouched(since: made), "in the main file")
  }
}
