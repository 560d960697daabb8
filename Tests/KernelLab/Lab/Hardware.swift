import KernelHardware

/// Under these names they are known to every file of the laboratory.
typealias SimulatedChip = KernelHardware.SimulatedChip
typealias Kernel = KernelHardware.Kernel
