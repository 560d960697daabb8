import GpioLines
import Glibc
import Ports
import PowerControl

/// Finds and requests the line that the settings name, and says why it cannot be had.
struct MotionLineSearch {
  private let line: GpioLine
  private let edge: MotionSettings.Edge
  private let devices: String

  /// Nil: the settings name none.
  init?(_ settings: MotionSettings, devices: String) {
    guard let line = settings.line else { return nil }
    self.line = line
    self.edge = settings.edge
    self.devices = devices
  }

  func request() throws(EvidenceError) -> any EdgeQueue {
    let survey = GpioChip.survey(devices)
    let found = try find(in: survey)
    let path = "\(devices)/\(found.chip)"
    do {
      return try EdgeLine(path: path, offset: found.offset, line, edge)
    } catch {
      throw refused(error, path: path, holder: survey.holder(of: found))
    }
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

  private func find(in survey: ChipSurvey) throws(EvidenceError) -> LineSearch.Found {
    do {
      return try LineSearch.find(line.specifier, in: survey)
    } catch {
      throw because(GpioErrorText.reason(error, devices: devices))
    }
  }

  /// - Parameters:
  ///   - path: the chip's.
  ///   - holder: the consumer name of the program that has the line.
  func refused(_ refusal: GpioRefusal, path: String, holder: String?) -> EvidenceError {
    because(own(refusal, path) ?? shared(refusal, path, holder))
  }

  /// What is peculiar to an input whose edges are asked for.
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
        "the line on \(path) cannot be watched (\(said)); does the pin have another function in "
        + "the device tree?"
    }
  }

  private func shared(_ refusal: GpioRefusal, _ path: String, _ holder: String?) -> String {
    GpioErrorText.reason(
      refusal, path: path, holder: holder, next: "within five minutes")
      ?? "its edges cannot be read (\(refusal.error.text)); it is requested anew"
  }

  private func because(_ reason: String) -> EvidenceError {
    EvidenceError("motion.line = \"\(line.text)\": \(reason)")
  }
}
