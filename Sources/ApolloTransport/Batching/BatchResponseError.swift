public import Foundation

/// A response to a batch of queries that has no element for one of them.
///
/// The other queries of the batch have their responses.
public struct BatchResponseError: Error, Hashable, Sendable {
  /// The kind of failure. Later versions can add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name, such as `missingElement`.
    public let description: String

    /// The response is one object with data instead of an array.
    public static let notAnArray = Code(description: "notAnArray")
    /// The array ends before the element of the query.
    public static let missingElement = Code(description: "missingElement")
    /// The element of the query is not a JSON object, or the array is malformed before it.
    public static let malformedElement = Code(description: "malformedElement")
    /// The array has more elements than the batch has queries, so none can be assigned.
    public static let tooManyElements = Code(description: "tooManyElements")
  }

  /// The kind of failure.
  public let code: Code

  /// The URL of the server, without secrets.
  public let url: String

  /// The position of the query in its batch, from 0 on.
  public let index: Int

  /// The number of queries in the batch.
  public let queryCount: Int

  init(_ code: Code, url: URL?, index: Int, queryCount: Int) {
    self.code = code
    self.url = url?.textWithoutSecrets ?? "the server"
    self.index = index
    self.queryCount = queryCount
  }
}

extension BatchResponseError: UnreadableResponse {
  package var isUnreadable: Bool { true }
}

// MARK: - Sentences

extension BatchResponseError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The failure and its solution in a sentence each.
  public var description: String {
    switch code {
    case .notAnArray:
      "\(url) responded to \(queryCount) queries with one object. Check that the server allows batches, or turn batching off."
    case .missingElement:
      "\(url) responded to \(queryCount) queries without an element for query \(index + 1). Check that the server allows batches of this size, or lower `maximumQueryCount`."
    case .malformedElement:
      "\(url) responded to \(queryCount) queries with a malformed element for query \(index + 1). Check the server."
    case .tooManyElements:
      "\(url) responded to \(queryCount) queries with more elements. Check the server and what is in front of it."
    default:
      "\(url) responded to \(queryCount) queries with an array that cannot be used: \(code). Turn batching off."
    }
  }
}
