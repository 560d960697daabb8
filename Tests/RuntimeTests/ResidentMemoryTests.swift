import Quantities
import Testing

@testable import Runtime

@Suite struct ResidentMemoryTests {
  func range(_ line: String) -> Range<UInt>? { ResidentMemory.unchangedRange(Array(line.utf8)) }

  @Test("only what a file has unchanged is given back") func onlyUnchangedPagesAreGivenBack() {
    #expect(range("55d0-55f0 r-xp 00001000 fe:00 12   /usr/local/bin/a b\n") == 0x55d0..<0x55f0)
    #expect(range("55d0-55f0 r--p 00000000 fe:00 12   /usr/bin/godwit\n") == 0x55d0..<0x55f0)
    // Relocated data, behind code.
    #expect(range("55d0-55f0 r--p 00001000 fe:00 12   /usr/local/bin/godwit\n") == nil)
    #expect(range("55d0-55f0 rw-p 00000000 fe:00 12   /usr/local/bin/godwit\n") == nil)
    #expect(range("55d0-55f0 rw-s 00000000 fe:00 12   /var/lib/godwit/godwit.gpkg-shm\n") == nil)
    #expect(range("55d0-55f0 rwxp 00001000 fe:00 12   /usr/local/bin/godwit\n") == nil)
    #expect(range("7ffc-7fff r-xp 00000000 00:00 0    [vdso]\n") == nil)
    #expect(range("7ffc-7fff r--p 00000000 00:00 0    [vvar]\n") == nil)
    #expect(range("7ffc-7fff r-xp 00000000 00:00 0 \n") == nil)
    #expect(range("7fff-7ffc r-xp 0 00:00 0 /x") == nil)
    #expect(range("") == nil)
  }

  @Test("the program goes on after its memory is given back") func theProgramGoesOnAfterwards() {
    let kept = (0..<1000).map(String.init)
    var memory = ResidentMemory(at: BootInstant(nanoseconds: 0))
    memory.giveBackWhenDue(at: BootInstant(nanoseconds: 601_000_000_000))
    #expect(kept.joined().count == 2890)
  }
}
