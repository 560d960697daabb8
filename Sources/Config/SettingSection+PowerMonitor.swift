extension SettingSection {
  static let powerMonitor = SettingSection(
    "power_monitor", "What measures the current of the receiver's supply.",
    [
      .choice(
        "kind", \.powerMonitor.kind,
        "\"none\": energy is modelled from the currents of section gnss. \"hwmon\": a monitor "
          + "chip with a kernel driver, by chip, bus and address or label. \"iio\": the same chips "
          + "under the driver ina2xx-adc. \"i2c\": a chip without a driver, through /dev/i2c-N. "
          + "\"power_supply\": a battery or fuel gauge of the kernel. \"virtual\": the monitor in "
          + "memory that godwit simulate always has; godwit run refuses it."),
      .choice("chip", \.powerMonitor.chip, "The monitor chip. \"power_supply\" has no use for it."),
      .integer(
        "bus", \.powerMonitor.bus, -1...255,
        "Number of the I2C bus: 1 for /dev/i2c-1, the one on the header of a Raspberry Pi. -1: any "
          + "bus, which kind \"i2c\" does not take."),
      .address(
        "address", \.powerMonitor.address,
        "Address of the chip on the bus. 0: any, which kind \"i2c\" does not take."),
      .integer(
        "channel", \.powerMonitor.channel, 1...3,
        "Channel of a chip that has several (ina3221), counted from 1."),
      .text(
        "label", \.powerMonitor.label, atMost: 64, canBeEmpty: true,
        "Label that the device tree gives to the channel or the monitor (in1_label, label); it is "
          + "stronger than channel. Empty: none is asked for."),
      .quantity(
        "shunt_mOhm", \.powerMonitor.shunt, 0.001...100_000,
        "The resistor across which the chip measures: 100 (marked R100) on most breakouts. "
          + "Readings of a driver that assumes another one are corrected. Chips with a shunt of "
          + "their own (ina260) and kind \"power_supply\" have no use for it."),
      .ratio(
        "shunt_tolerance_percent", \.powerMonitor.shuntTolerancePercent, 0...50,
        "How far the resistor may be from shunt_mOhm, in percent: most of the uncertainty."),
      .text(
        "device", \.powerMonitor.device, atMost: 255, canBeEmpty: true,
        "Name of the power supply (ls /sys/class/power_supply), or of the device of kind \"hwmon\" "
          + "(hwmon3) or \"iio\" (iio:device0), whose numbers may change between boots. Empty: the "
          + "first battery; for the others chip, bus and address decide."),
    ])
}
