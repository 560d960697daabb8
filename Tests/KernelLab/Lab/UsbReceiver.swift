import Foundation

/// A USB device that the kernel builds from files (Documentation/usb/gadget_configfs.rst) and plugs
/// into its loopback controller: a receiver for which drivers/gnss/usb.c makes /dev/gnss0.
struct UsbReceiver {
  static let device = "/dev/gnss0"
  /// The receiver's own end.
  static let gadget = "/dev/ttyGS0"
  private static let root = "/sys/kernel/config/usb_gadget/receiver"

  init() throws {
    let folders = ["", "/configs/c.1", "/functions/gser.usb0"]
    for folder in folders {
      try FileManager.default.createDirectory(
        atPath: Self.root + folder, withIntermediateDirectories: false)
    }
    // The only device that the driver knows: a Sierra Wireless XM1210.
    try Kernel.write("0x1199", to: Self.root + "/idVendor")
    try Kernel.write("0xb000", to: Self.root + "/idProduct")
    try FileManager.default.createSymbolicLink(
      atPath: Self.root + "/configs/c.1/gser.usb0",
      withDestinationPath: Self.root + "/functions/gser.usb0")
  }

  func plugIn(_ bench: Bench) throws {
    try Kernel.write("dummy_udc.0", to: Self.root + "/UDC")
    try bench.wait(Self.device, for: 5) { access(Self.device, F_OK) == 0 }
  }

  func unplug() throws { try Kernel.write("\n", to: Self.root + "/UDC") }
}
