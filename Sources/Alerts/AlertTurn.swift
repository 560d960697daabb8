import Quantities

/// One step, with what it leads to.
struct AlertTurn {
  let now: BootInstant
  let date: UTCInstant?
  var effects: [AlertEffect] = []
}
