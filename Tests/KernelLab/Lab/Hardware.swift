import KernelHardware

/// Makes these names available to every file of the laboratory.
typealias SimulatedChip = KernelHardware.SimulatedChip
typealias Kernel = KernelHardware.Kernel
