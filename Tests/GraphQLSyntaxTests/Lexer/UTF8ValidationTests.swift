import Testing

@testable import GraphQLSyntax

struct UTF8ValidationTests {
  /// Checks every sequence of two bytes, alone and before several tails, against the standard
  /// library.
  @Test func agreesWithTheStandardLibrary() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for tail in [[], [0x80], [0x80, 0xBF], [0x41]] as [[UInt8]] {
          let bytes = [first, second] + tail
          let isValid = String(validating: bytes, as: UTF8.self) != nil
          let index = bytes.withUnsafeBufferPointer { $0.firstInvalidUTF8Index() }
          #expect((index == nil) == isValid, "\(bytes)")
        }
      }
    }
  }

  @Test(arguments: 0...20) func reportsTheOffsetOfInvalidUTF8(_ offset: Int) {
    let bytes = Array(repeating: UInt8(ascii: "a"), count: offset) + [0xFF] + Array("bcd".utf8)
    var document = Document()
    let diagnostics = document.parse(Source(name: "text", bytes: bytes))
    #expect(diagnostics.map { $0.span?.start } == [UInt32(offset)])
    #expect(document.definitions.isEmpty)
  }
}
