import CShims
import GNSS

extension GpioLine {
  /// The form that the library accepts.
  var wiring: godwit_gpio_wiring {
    godwit_gpio_wiring(is_active_low: isActiveLow, drive: drive.code, bias: bias.code)
  }
}

extension GpioLine.Drive {
  fileprivate var code: godwit_gpio_drive {
    switch self {
    case .pushPull: GODWIT_GPIO_PUSH_PULL
    case .openDrain: GODWIT_GPIO_OPEN_DRAIN
    case .openSource: GODWIT_GPIO_OPEN_SOURCE
    }
  }
}

extension GpioLine.Bias {
  fileprivate var code: godwit_gpio_bias {
    switch self {
    case .asIs: GODWIT_GPIO_BIAS_AS_IS
    case .disabled: GODWIT_GPIO_BIAS_DISABLED
    case .pullUp: GODWIT_GPIO_PULL_UP
    case .pullDown: GODWIT_GPIO_PULL_DOWN
    }
  }
}
