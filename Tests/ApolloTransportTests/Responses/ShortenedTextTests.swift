import Foundation
import Testing

@testable import ApolloTransport

/// Texts of errors that quote what a server has sent.
struct ShortenedTextTests {
  @Test func quotesNoMoreThanTheBeginning() throws {
    let name = String(repeating: "x", count: 1_000_000)
    var framer = GraphQLEventFramer(maximumEventByteCount: 2_000_000)
    framer.append(Data("event: \(name)\ndata: {}\n\n".utf8))
    let error = #expect(throws: ResponseStreamError.self) { try framer.next() }
    #expect((error?.description.utf8.count ?? .max) < 1_000)
    var merger = IncrementalMerger()
    try merger.merge(Data(#"{"data":{},"hasNext":true}"#.utf8))
    let id = Data(#"{"incremental":[{"id":"\#(name)","data":{}}],"hasNext":true}"#.utf8)
    let unknown = #expect(throws: ResponseStreamError.self) { try merger.merge(id) }
    #expect((unknown?.description.utf8.count ?? .max) < 1_000)
  }

  @Test func leavesShortTextsAsTheyAre() {
    for text in ["", "a", String(repeating: "é", count: 300)] { #expect(text.shortened == text) }
    #expect(String(repeating: "é", count: 301).shortened.count == 301)
    #expect(String(repeating: "é", count: 301).shortened.last == "…")
  }
}
