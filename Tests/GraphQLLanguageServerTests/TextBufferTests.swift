@testable import GraphQLLanguageServer
import SeededRandom
import Testing

/// Positions in texts, and edits of them.
@Suite struct TextBufferTests {
  /// One character of each length in UTF-8, and every line terminator.
  private let text = "aé€😀b\r\nx\ry\n\nz"

  @Test(arguments: [PositionEncoding.utf8, .utf16])
  func positionsThatAreCountedOnAreThoseOfTheText(_ encoding: PositionEncoding) {
    var random = SeededGenerator(seed: 11)
    for round in 0..<200 {
      let pieces = ["a", "é", "€", "😀", "\n", "\r\n", "\r", " "]
      let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        pieces.randomElement(using: &random) ?? ""
      }
      let buffer = TextBuffer(Array(text.joined().utf8))
      var counter = PositionCounter(buffer, encoding)
      for _ in 0..<40 {
        // Mostly ascending, as a file is read, and sometimes not.
        let offset = Int.random(in: -1...buffer.bytes.count + 1, using: &random)
        #expect(
          counter.position(of: offset) == buffer.position(of: offset, encoding),
          "\(round): \(text) \(offset)")
      }
    }
  }

  @Test func everyOffsetIsAPositionAndBack() {
    let buffer = TextBuffer(Array(text.utf8))
    for encoding in [PositionEncoding.utf8, .utf16] {
      var offset = 0
      for character in text.unicodeScalars {
        let position = buffer.position(of: offset, encoding)
        // A line feed after a carriage return is inside of the line terminator.
        if character != "\n" || offset == 0 || Array(text.utf8)[offset - 1] != 0xD {
          #expect(buffer.offset(of: position, encoding) == offset, "\(encoding) \(offset)")
        }
        offset += character.utf8.count
      }
    }
    #expect(buffer.position(of: 10, .utf16) == TextPosition(line: 0, character: 5))
    #expect(buffer.position(of: 10, .utf8) == TextPosition(line: 0, character: 10))
    #expect(buffer.lineStarts == [0, 13, 15, 17, 18])
  }

  @Test func positionsBehindALineOrTheTextAreTheirEnds() {
    let buffer = TextBuffer(Array(text.utf8))
    #expect(buffer.offset(of: TextPosition(line: 0, character: 99), .utf16) == 11)
    #expect(buffer.offset(of: TextPosition(line: 99, character: 0), .utf16) == 19)
    // The middle of a surrogate pair is the character itself.
    #expect(buffer.offset(of: TextPosition(line: 0, character: 4), .utf16) == 6)
  }

  @Test func anIllFormedCharacterEndsBeforeItsLine() {
    let buffer = TextBuffer([0xE2, 0x82, 0xA, 0xF0, 0xD, 0x61])
    for encoding in [PositionEncoding.utf8, .utf16] {
      for line in 0..<3 {
        let end = buffer.offset(of: TextPosition(line: line, character: 99), encoding)
        #expect(end == [2, 4, 6][line], "\(encoding), line \(line)")
      }
    }
  }

  @Test func randomEditsLeaveTheSameLinesAsANewText() {
    var random = SeededGenerator(seed: freshSeed)
    var buffer = TextBuffer([])
    let pieces = ["", "\r", "\n", "\r\n", "ab", "é\n", "😀", "\n\n\r", "{ hero }"]
    for _ in 0..<100_000 {
      let start = Int.random(in: 0...buffer.bytes.count, using: &random)
      // Texts stay short, so that line terminators meet often.
      let longest = buffer.bytes.count > 60 ? 40 : 5
      let end = min(buffer.bytes.count, start + Int.random(in: 0...longest, using: &random))
      buffer.replace(start..<end, with: pieces.randomElement(using: &random) ?? "")
      guard buffer == TextBuffer(buffer.bytes) else {
        Issue.record("seed \(freshSeed): \(buffer)")
        return
      }
    }
  }

  @Test(arguments: ["/a/b.graphql", "/with space/ä#?%.graphql", "/"])
  func pathsAreURIsAndBack(_ path: String) {
    #expect(FileURI.path(of: FileURI.uri(of: path)) == path)
  }

  @Test func onlyLocalFilesHavePaths() {
    #expect(FileURI.path(of: "file://localhost/a") == "/a")
    #expect(FileURI.path(of: "FILE:///a%20b") == "/a b")
    #expect(FileURI.path(of: "untitled:Untitled-1") == nil)
    #expect(FileURI.path(of: "file://host/a") == nil)
    #expect(FileURI.path(of: "file:/a/b") == "/a/b")
    for cut in ["zz", "+1", "2", "", "00", " 1"] {
      #expect(FileURI.path(of: "file:///a%\(cut)") == nil, "\(cut)")
    }
  }
}
