import ApolloCache
import Testing

@Suite struct RecordKeyTests {
  @Test(arguments: [
    ("Book:7", "book", true), ("Book:7", "K:7", true), ("Book:7", "", true),
    ("Book:7", "Book:7", true),
    ("Book:7", "Book:77", false), ("Book:7", "%", false), ("Book:7", "_", false),
    ("100%:a_b", "0%:A_B", true),
    ("Straße:É", "é", false), ("Straße:É", "É", true), ("a\u{0}b", "\u{0}B", true),
    ("[", "{", false),
  ])
  func containsPatternsLiterallyButForTheCaseOfASCIILetters(
    key: String, pattern: String, expected: Bool
  ) {
    #expect(RecordKey(key).contains(ignoringCase: pattern) == expected)
  }
}
