import Core
import Testing

@Suite struct PartitionPointTests {
  @Test("the first element that meets the condition is found, in arrays and in slices")
  func everyPlace() {
    for count in 0...20 {
      let numbers = Array(0..<count)
      for first in 0...count {
        #expect(numbers.partitionPoint { $0 >= first } == first)
        for start in 0...first {
          #expect(numbers[start...].partitionPoint { $0 >= first } == first)
        }
      }
    }
  }

  @Test("of a million elements twenty are examined") func fewQuestions() {
    var asked = 0
    let index = (0..<1_000_000).partitionPoint {
      asked += 1
      return $0 > 777_776
    }
    #expect(index == 777_777)
    #expect(asked <= 20)
  }
}
