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

  @Test("memory is given back before a rest, at most once a minute, and every ten minutes")
  func memoryIsGivenBackBeforeARest() {
    let start = BootInstant(nanoseconds: 0)
    var memory = ResidentMemory(at: start)
    // When, when something is due again, and whether memory is given back.
    let turns: [(at: Seconds, next: Seconds?, isGivenBack: Bool)] = [
      (59, nil, false), (60, 79, false), (60, 80, true), (119, 600, false), (120, nil, true),
      // A receiver that is always on.
      (719, 720, false), (720, 721, true),
    ]
    for turn in turns {
      let isGivenBack = memory.giveBack(before: turn.next.map { start + $0 }, at: start + turn.at)
      #expect(isGivenBack == turn.isGivenBack, "after \(turn.at)")
    }
  }

  @Test("the program goes on after its memory is given back") func theProgramGoesOnAfterwards() {
    let kept = (0..<1000).map(String.init)
    ResidentMemory.giveBack()
    #expect(kept.joined().count == 2890)
  }
}
