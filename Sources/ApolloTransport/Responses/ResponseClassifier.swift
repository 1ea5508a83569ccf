import ApolloAPI
import Foundation

/// Decides from status and content type whether an HTTP response is a response to an operation.
///
/// With `application/graphql-response+json` the body alone decides, whatever the status. With
/// everything else only a 2xx may be trusted, unless the policy says otherwise; GraphQL errors in
/// other responses are kept in the error. GraphQL over HTTP, section 6.4.
enum ResponseClassifier {
  /// - Throws: ``GraphQLHTTPResponseError``.
  static func classify(
    _ head: ReceivedHead, body: Data, url: URL, _ policy: HTTPStatusPolicy = .strict
  ) throws(GraphQLHTTPResponseError) -> NetworkResponse {
    func error(_ kind: GraphQLHTTPResponseError.Kind) -> GraphQLHTTPResponseError {
      GraphQLHTTPResponseError(kind, head: head.foundation, body: body, url: url)
    }
    let isSuccess = (200..<300).contains(head.statusCode)
    switch Format(head, body: body) {
    case .empty: throw error(isSuccess ? .emptyBody : .errorResponse)
    case .graphQLResponse: return response(head, body, url)
    case .json where isSuccess: return response(head, body, url)
    case .json:
      let error = error(.errorResponse)
      guard policy == .bodyDecides, error.outline.hasData || !error.outline.errors.isEmpty else {
        throw error
      }
      return response(head, body, url)
    case .other: throw error(isSuccess ? .unexpectedContentType : .errorResponse)
    }
  }

  private static func response(_ head: ReceivedHead, _ body: Data, _ url: URL) -> NetworkResponse {
    NetworkResponse(body: body, http: head.details, url: url)
  }

  private enum Format {
    case empty, graphQLResponse, json, other

    init(_ head: ReceivedHead, body: Data) {
      let mark = body.starts(with: ByteOrderMark.bytes) ? ByteOrderMark.bytes.count : 0
      guard let first = body.withUnsafeBytes({ $0.dropFirst(mark).first { $0 > 0x20 } }) else {
        self = .empty
        return
      }
      guard let text = head.value(of: "content-type") else {
        self = first == UInt8(ascii: "{") ? .json : .other
        return
      }
      guard let type = MediaType(text), type.isUTF8 else {
        self = .other
        return
      }
      switch type.essence {
      case "application/graphql-response+json": self = .graphQLResponse
      case "application/json", "application/graphql+json", "text/json": self = .json
      default: self = .other
      }
    }
  }
}
