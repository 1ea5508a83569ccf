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

  /// The number of bytes of a body that are searched for words.
  static let readByteCount = 1_000

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
    let text = String(decoding: body.prefix(Self.readByteCount), as: UTF8.self).lowercased()
    if Self.words.contains(where: { text.contains($0) }) {
      self = .isSaid
    } else if outline.errors.contains(where: Self.hasCodeOfAnotherCause) {
      self = .isNot
    } else {
      self = Self.wordsOfHashes.contains { text.contains($0) } ? .isNot : .mayBe
    }
  }

  /// Returns `true` if the code of an error names a cause that has nothing to do with the text.
  ///
  /// Codes for requests of any kind, such as `BAD_REQUEST` and `INTERNAL_SERVER_ERROR`, and for
  /// texts that cannot be parsed, such as `GRAPHQL_PARSE_FAILED` for an empty one, name none.
  private static func hasCodeOfAnotherCause(_ error: GraphQLError) -> Bool {
    // `classification` is the name in graphql-java.
    guard let code = (error["code"] ?? error["classification"])?.stringValue else { return false }
    let words = code.lowercased().filter { $0.isLetter }
    guard !words.contains("query"), !words.contains("document") else { return false }
    return wordsOfCodes.contains { words.contains($0) }
  }

  /// Parts of the codes of Apollo, The Guild, Hasura, Hot Chocolate, Spring and others, without
  /// underscores and hyphens.
  private static let wordsOfCodes = [
    "auth", "forbidden", "denied", "permission", "access", "jwt", "token", "csrf",  // who asks
    "validation", "resolutionfailure",  // what is asked for
    "limit", "throttl", "toomany", "quota", "complex", "depth", "cost",  // how much
    "unavailable", "timeout", "maintenance",  // when
  ]

  /// The words of servers that know hashes and reject one for another reason.
  private static let wordsOfHashes = ["persisted", "provided sha", "sha256"]

  /// The words of Strawberry and coniql, Ariadne, graphene and express-graphql, graphql-ruby,
  /// graph-gophers, and datasette. They count at any time, so none may be a part of what resolvers
  /// say, such as "Missing query parameter": the last one ends a message.
  private static let words = [
    "no graphql query found", "the query must be a string", "must provide query string",
    "no query string was present", "no operations in query document", "missing query\"",
  ]
}
