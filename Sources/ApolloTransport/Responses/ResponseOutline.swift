import ApolloAPI
import Foundation

/// The members of a response that a transport needs: its errors, and whether it has data.
struct ResponseOutline: Sendable {
  /// The errors; empty if the body is not a GraphQL response.
  var errors: [GraphQLError]
  /// `true` if there is data other than null.
  var hasData: Bool

  /// Reads the body of a response, which may be anything.
  init(_ body: Data) {
    // Bytes that are not JSON have neither errors nor data.
    let value = try? JSONValue(responseBytes: body)
    errors = value?["errors"].map(GraphQLError.list) ?? []
    hasData = value?["data"].map { $0 != .null } ?? false
  }
}
