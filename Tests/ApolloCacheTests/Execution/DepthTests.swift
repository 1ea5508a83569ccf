import ApolloAPI
import ApolloCache
import Foundation
import SmallStack
import Testing

/// A response that is nested to the limit of the decoder becomes records on a thread with a small
/// stack.
@Suite struct DepthTests {
  /// Objects in objects, none of which has a key.
  private enum Nested: LibraryDefinition {
    static let depth = 512
    static let selections = Selections(
      "Query {a " + String(repeating: "N {a ", count: depth - 1) + "Int"
        + String(repeating: "}", count: depth))
  }

  /// Without optimization, frames are several times as large.
  private static var stackSize: Int {
    #if DEBUG
      4 << 20
    #else
      512 << 10
    #endif
  }

  private static func text(_ value: Int) -> Data {
    // The response itself is a level, too.
    let open = String(repeating: #"{"a":"#, count: Nested.depth)
    return Data("{\"data\":\(open)\(value)\(String(repeating: "}", count: Nested.depth + 1))".utf8)
  }

  @Test func nestedResponsesAreWrittenOnAThreadWithASmallStack() throws {
    let store = ApolloStore(cache: InMemoryNormalizedCache())
    let query = LibraryQuery<Nested>()
    _ = Nested.selections  // parsed here: a program's own literals are not under the limit
    let decoder = ResponseDecoder(limits: ResponseLimits(depth: Nested.depth + 1))
    let isWritten = try runOnThread(withStack: Self.stackSize) {
      // Twice, so that the second one is compared with the first.
      for value in [1, 1, 2] {
        let normalizer = store.normalizer(for: query)
        let response = try decoder.decode(
          Self.text(value), as: query, observer: normalizer)
        guard response.data != nil, normalizer.finish().records.records.count == 1
        else {
          return false
        }
      }
      return true
    }
    #expect(isWritten)
  }
}
