import Hardware
import Glibc
import Platform

/// Checks that the command for alerts exists, and that a service runs it. Nothing is executed.
enum AlertCommandDiagnosis {
  private static let part = "alerts.command"

  /// Nil: the settings name no command.
  static func finding(_ settings: AlertCommandSettings) -> Finding? {
    guard let program = settings.words.first else { return nil }
    guard let status = FileStatus(path: program) else {
      let why = SystemError.last
      // The command's user may have access where this one has not.
      return why.code == EACCES
        ? .warn(part, "this user cannot check \(program): \(why.text)")
        : .fail(part, "\(program): \(why.text); put the program there, or set alerts.command")
    }
    guard status.kind == .regular, status.kernel.st_mode & 0o111 != 0 else {
      return .fail(part, "\(program) is not executable: run chmod 755 on it, or set alerts.command")
    }
    guard status.kernel.st_mode & 0o001 != 0 else {
      return .warn(
        part,
        "\(program) is not executable for everyone: run chmod 755 on it, unless User= or "
          + "SupplementaryGroups= of godwit-alert@.service has the permission")
    }
    guard FileStatus(path: settings.socket)?.kind == .socket else {
      return .fail(
        part,
        "\(settings.socket): nothing runs commands there; start it (systemctl enable --now "
          + "godwit-alert.socket), or set alerts.command_socket")
    }
    return .ok(part, "\(program) is executable; \(settings.socket) exists")
  }
}
