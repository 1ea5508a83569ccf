import ApolloAPI
import Dispatch
import Foundation
import Testing

/// Reading, comparing, hashing, writing and releasing recurse; the limit on depth keeps them within a small stack.
struct DepthTests {
  private struct Deep: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    let __object: ResponseObject
    init(__object: ResponseObject) { self.__object = __object }
    static let depth = 512
    static let __selections = Selections(
      String(repeating: "N {a ", count: depth - 1) + "N {a Int}"
        + String(repeating: "}", count: depth - 1))
    static let __layout = __selections[0]
  }

  /// Without optimization, frames are several times as large.
  private static var stackSize: Int {
    #if DEBUG
      8 << 20
    #else
      512 << 10
    #endif
  }

  private let text = Array(
    (String(repeating: #"{"a":"#, count: Deep.depth) + "1"
      + String(repeating: "}", count: Deep.depth)).utf8)

  @Test func readsToTheLimitOnAThreadWithASmallStack() throws {
    _ = Deep.__layout  // parsed here: a program's own literals are not under the limit
    let text = text
    let outcome = try runOnThread {
      let first = try Deep(jsonBytes: text), second = try Deep(jsonBytes: text)
      return first == second && first.hashValue == second.hashValue && first.jsonBytes == text
    }
    #expect(outcome)
  }

  @Test func readsAnyValueToTheLimitOnAThreadWithASmallStack() throws {
    let text = text
    let outcome = try runOnThread {
      try JSONValue(jsonBytes: text) == JSONValue(jsonBytes: text)
    }
    #expect(outcome)
  }

  private func runOnThread(_ work: @escaping @Sendable () throws -> Bool) throws -> Bool {
    // Written by the thread before it signals, read by this one after it was signalled.
    nonisolated(unsafe) var result: Result<Bool, any Error>?
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      result = Result(catching: work)
      isDone.signal()
    }
    thread.stackSize = Self.stackSize
    thread.start()
    isDone.wait()
    return try #require(result).get()
  }
}
