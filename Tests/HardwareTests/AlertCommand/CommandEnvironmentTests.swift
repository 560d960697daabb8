import Ports
import Testing

@testable import Hardware

@Suite struct CommandEnvironmentTests {
  private static let request = try! CommandRequest(
    NoticeCommandInput(id: 5, facts: [NoticeCommandInput.Fact("PLACE", "Home=x")]))

  @Test("it is the unit's without variables meant for the unit alone, plus the notice's")
  func variables() {
    let environment = CommandEnvironment(
      Self.request,
      given: [
        "HOME=/", "PATH=/opt/bin", "TOKEN=a=b", "CREDENTIALS_DIRECTORY=/run/c", "LISTEN_FDS=1",
        "LISTEN_PID=3", "REMOTE_ADDR=x", "NOTIFY_SOCKET=/x", "WATCHDOG_USEC=1",
        "GODWIT_PLACE=forged", "GODWIT_OTHER=old", "nonsense",
      ])
    #expect(
      environment.variables == [
        "HOME=/", "PATH=/opt/bin", "TOKEN=a=b", "CREDENTIALS_DIRECTORY=/run/c",
        "GODWIT_NOTICE=5", "GODWIT_PLACE=Home=x",
      ])
  }

  @Test("a path is always set") func path() {
    let variables = CommandEnvironment(Self.request, given: []).variables
    #expect(variables.contains("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin"))
  }

  @Test("the environment of this process is found") func own() {
    #expect(CommandEnvironment.ofThisProcess.contains { $0.hasPrefix("PATH=") })
  }
}
