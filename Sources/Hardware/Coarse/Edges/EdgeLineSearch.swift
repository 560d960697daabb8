import Glibc
import Ports
import GNSS
import Core

/// Finds and requests a line whose edges are to be watched, and says why it is unavailable.
struct EdgeLineSearch {
  /// Name of the setting for the line: "motion.line".
  let setting: String
  let line: GpioLine
  var edge = MotionSettings.Edge.both
  /// How long a level has to stay before it counts; without effect with libgpiod 1.
  var debounce = Seconds.zero
  /// The folder of the chips' devices.
  let devices: String

  func request() throws(PortError) -> EdgeLine {
    let survey = GpioChip.survey(devices)
    let found = try find(in: survey)
    let path = "\(devices)/\(found.chip)"
    do {
      return try EdgeLine(
        path: path, offset: found.offset, line, edge, debounce: debounce,
        explain: { lost($0, found, path) })
    } catch {
      throw refused(error, path: path, holder: survey.holder(of: found))
    }
  }

  /// A line that this program had: another one may have requested it while it was released.
  private func lost(
    _ refusal: GpioRefusal, _ found: LineSearch.Found, _ path: String
  ) -> PortError {
    let isTaken = refusal.error.code == EBUSY
    let holder = isTaken ? GpioChip.survey(devices).holder(of: found) : nil
    return refused(refusal, path: path, holder: holder)
  }

  func examine() -> LineCheck {
    let survey = GpioChip.survey(devices)
    do {
      return LineCheck(try find(in: survey), in: survey, devices: devices) {
        refused($0, path: $1, holder: $2).message
      }
    } catch {
      return LineCheck(problem: error.message)
    }
  }

  private func find(in survey: ChipList) throws(PortError) -> LineSearch.Found {
    do {
      return try LineSearch.find(line.specifier, in: survey)
    } catch {
      throw because(GpioErrorText.reason(error, devices: devices))
    }
  }

  /// - Parameters:
  ///   - path: the chip's.
  ///   - holder: the consumer name of the program that has the line.
  func refused(_ refusal: GpioRefusal, path: String, holder: String?) -> PortError {
    because(own(refusal, path) ?? shared(refusal, path, holder))
  }

  /// Errors particular to an input with edge detection.
  private func own(_ refusal: GpioRefusal, _ path: String) -> String? {
    let said = refusal.error.text
    guard refusal.step == .watching else { return nil }
    switch refusal.error.code {
    case EBUSY: return nil
    // gpiolib-cdev.c: ENXIO or, in the older interface, ENODEV where gpiod_to_irq finds none.
    case ENXIO, ENODEV:
      return "the line on \(path) raises no interrupt (\(said)); use a line of another chip"
    case EINVAL, ENOTTY:
      return
        "the kernel does not accept these flags for an input (\(said)); remove the pull words. "
        + "Linux 5.5 is the oldest that works with them (5.10 with libgpiod 2)"
    default:
      return
        "the line on \(path) cannot be monitored (\(said)); check whether the pin has another "
        + "function in the device tree"
    }
  }

  private func shared(_ refusal: GpioRefusal, _ path: String, _ holder: String?) -> String {
    GpioErrorText.reason(
      refusal, path: path, holder: holder, next: "within five minutes")
      ?? "its edges cannot be read (\(refusal.error.text)); it is requested again"
  }

  private func because(_ reason: String) -> PortError {
    PortError("\(setting) = \"\(line.text)\": \(reason)")
  }
}
