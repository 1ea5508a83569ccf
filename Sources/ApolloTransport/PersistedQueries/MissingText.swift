import ApolloAPI
import Foundation

/// The likelihood that a response to a hash comes from a server without persisted queries, which
/// misses the text of the document.
enum MissingText: Hashable {
  /// The response comes from an execution, or has another cause.
  case isNot
  /// The server refuses the request or fails, in unknown words.
  case mayBe
  /// The server says that the text is missing. It has carried out nothing.
  case isSaid

  init(_ result: Result<NetworkResponse, any Error>) {
    switch result {
    case .success(let response): self.init(response.body, ResponseOutline(response.body))
    case .failure(let error as GraphQLHTTPResponseError):
      self.init(error.body, error.outline)
      if self == .mayBe, ![400, 422, 500].contains(error.statusCode) { self = .isNot }
    case .failure: self = .isNot
    }
  }

  private init(_ body: Data, _ outline: ResponseOutline) {
    guard !outline.hasData, outline.errors.allSatisfy({ $0.path == nil }) else {
      self = .isNot
      return
    }
    let text = String(decoding: body.prefix(1_000), as: UTF8.self).lowercased()
    if Self.words.contains(where: { text.contains($0) }) {
      self = .isSaid
    } else {
      self = Self.wordsOfHashes.contains { text.contains($0) } ? .isNot : .mayBe
    }
  }

  /// The words of servers that know hashes and reject one for another reason.
  private static let wordsOfHashes = ["persisted", "provided sha", "sha256"]

  /// The words of Strawberry and coniql, Ariadne, graphene and express-graphql, graphql-ruby,
  /// graph-gophers, and datasette.
  private static let words = [
    "no graphql query found", "query must be a string", "must provide query string",
    "no query string was present", "no operations in query document", "missing query",
  ]
}
