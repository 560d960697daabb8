import ReceiverStandIns
import TestSupport
import Testing

/// Cases that need a separate process: a missing library, a hanging resolver, a hostile
/// environment.
@Suite struct ProcessTests {
  /// Builds a library that overrides a function of the C library.
  private static func shim(_ code: String, in folder: ScratchFolder) throws -> String {
    try folder.write(code, to: "shim.c")
    let shim = folder.file("shim.so")
    let built = try run("cc", "-shared", "-fPIC", "-o", shim, folder.file("shim.c"))
    try #require(built.status == 0, "\(built.output)")
    return shim
  }

  private static func exercise(_ words: [String], _ environment: [String]) throws -> ChildProcess {
    try #require(
      ChildProcess(BuiltProgram.path("upload-exercise"), words, environment: environment))
  }

  @Test("a name that is never resolved blocks neither the loop nor the end of the process")
  func hangingResolver() throws {
    let folder = try ScratchFolder()
    let shim = try Self.shim(
      "#include <unistd.h>\nint getaddrinfo(void) { for (;;) pause(); }\n", in: folder)
    let process = try Self.exercise(
      ["http://receiver.example/", "2", "", "0.3"], ["LD_PRELOAD=\(shim)"])
    #expect(process.says("http://receiver.example: the name look-up took too long"))
    #expect(process.exitCode() == 0)
  }

  @Test("without the library the error names its package") func noLibrary() throws {
    let folder = try ScratchFolder()
    let shim = try Self.shim(
      "#include <stddef.h>\nvoid *dlopen(const char *f, int m) { return NULL; }\n", in: folder)
    let process = try Self.exercise(["http://127.0.0.1:1/"], ["LD_PRELOAD=\(shim)"])
    #expect(process.says("HTTP is not available"))
    #expect(process.says("install the package libcurl4"))
    #expect(process.exitCode() == 0)
  }

  @Test("a proxy in the environment is not used") func proxy() throws {
    let server = try WebServer()
    let process = try Self.exercise(
      [server.url("json")],
      ["http_proxy=http://127.0.0.1:1", "all_proxy=http://127.0.0.1:1", "no_proxy="])
    #expect(process.says("last: 200, 2 bytes"))
    #expect(process.exitCode() == 0)
  }

  @Test("an unknown name is reported") func unknownName() throws {
    let folder = try ScratchFolder()
    let shim = try Self.shim("int getaddrinfo(void) { return -2; }\n", in: folder)
    let process = try Self.exercise(["http://receiver.example/"], ["LD_PRELOAD=\(shim)"])
    #expect(process.says("http://receiver.example: the name is unknown"))
    #expect(process.exitCode() == 0)
  }
}
