import Store
import Testing

/// Paths as SQLite file names.
@Suite struct FileNameTests {
  @Test(
    "a path with any characters stays unchanged",
    arguments: [
      ("a.gpkg", "file:a.gpkg?immutable=1"), ("/a/b", "file:/a/b?immutable=1"),
      ("//host/b", "file:/host/b?immutable=1"), ("a?mode=rw", "file:a%3fmode=rw?immutable=1"),
      ("50%#1", "file:50%25%231?immutable=1"),
    ])
  func immutable(_ path: String, _ name: String) {
    #expect(FileName.immutable(path) == name)
  }
}
