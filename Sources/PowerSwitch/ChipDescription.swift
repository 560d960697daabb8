/// What the kernel tells about a GPIO chip and its lines.
struct ChipDescription: Equatable {
  /// As the kernel numbers it now: "gpiochip0". For messages only, because it changes.
  var name: String
  /// What the chip is called wherever it appears: "pinctrl-bcm2711".
  var label: String
  /// In the order of their offsets.
  var lines: [LineDescription]
}

struct LineDescription: Equatable {
  /// Empty: it has none.
  var name = ""
  var isUsed = false
  /// Who holds it, in his own words; empty when it is free, and for some drivers.
  var consumer = ""
}

/// A chip that could not be looked into.
struct ChipRefusal: Equatable {
  var path: String
  /// errno.
  var code: Int32
}

/// All chips there are, as far as they let themselves be seen.
struct ChipSurvey: Equatable {
  var chips: [ChipDescription] = []
  var refusals: [ChipRefusal] = []
}
