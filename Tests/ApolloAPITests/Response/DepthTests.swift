import ApolloAPI
import Foundation
import SmallStack
import Testing

/// Models nested to the limit, on threads with a small stack.
struct DepthTests {
  private struct Deep: StarWarsAPI.SelectionSet {
    typealias Schema = StarWarsAPI.SchemaMetadata
    private let __storage: ResponseObject
    static let depth = 512
    static let __selections = Selections(
      String(repeating: "N {a ", count: depth - 1) + "N {a Int}"
        + String(repeating: "}", count: depth - 1))
    static let __layout = __selections[0]
  }

  private static let text = Array(
    (String(repeating: #"{"a":"#, count: Deep.depth) + "1"
      + String(repeating: "}", count: Deep.depth)).utf8)

  /// The uses of a model on the small stack.
  enum Walk: CaseIterable {
    case reading, comparing, hashing, writing, describing, jsonValue, jsonObject, mirror
    case readingFoundation

    func isRight() throws -> Bool {
      let deep = try Deep(jsonBytes: DepthTests.text)  // released here, too
      switch self {
      case .reading: return true
      case .comparing: return try deep == Deep(jsonBytes: DepthTests.text)
      case .hashing: return try deep.hashValue == Deep(jsonBytes: DepthTests.text).hashValue
      case .writing: return deep.jsonBytes == DepthTests.text
      case .describing: return deep.debugDescription.count > Deep.depth * 2
      case .jsonValue: return try deep.jsonValue == JSONValue(jsonBytes: DepthTests.text)
      case .jsonObject: return deep.jsonObject.count == 1
      case .mirror: return Mirror(reflecting: deep).children.count == 1
      case .readingFoundation: return try Deep(jsonObject: deep.jsonObject) == deep
      }
    }

    /// JSON values are nested themselves: their frames are several times as large without
    /// optimization.
    var stackSize: Int {
      #if DEBUG
        switch self {
        case .reading, .comparing, .hashing, .writing: 512 << 10
        default: 4 << 20
        }
      #else
        512 << 10
      #endif
    }
  }

  @Test(arguments: Walk.allCases)
  func walksToTheLimitOnAThreadWithASmallStack(walk: Walk) throws {
    _ = Deep.__layout  // parsed here: a program's own literals are not under the limit
    #expect(try runOnThread(withStack: walk.stackSize) { try walk.isRight() })
  }

  @Test func readsAnyValueToTheLimitOnAThreadWithASmallStack() throws {
    #expect(
      try runOnThread(withStack: Walk.jsonValue.stackSize) {
        try JSONValue(jsonBytes: Self.text) == JSONValue(jsonBytes: Self.text)
      })
  }
}
