import Glibc

/// The line speeds that GNSS receivers are sold with or can be set to.
public enum SerialSpeed {
  /// In baud, ascending.
  public static let all = [
    4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
  ]

  /// The kernel's code for a speed; nil when it is none of `all`.
  static func code(baud: Int) -> speed_t? {
    switch baud {
    case 4800: speed_t(B4800)
    case 9600: speed_t(B9600)
    case 19_200: speed_t(B19200)
    case 38_400: speed_t(B38400)
    case 57_600: speed_t(B57600)
    case 115_200: speed_t(B115200)
    case 230_400: speed_t(B230400)
    case 460_800: speed_t(B460800)
    case 921_600: speed_t(B921600)
    default: nil
    }
  }
}
