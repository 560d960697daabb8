# U-Boot is what the emulator starts with (u-boot-qemu, among the tools).
