import ApolloAPI
import Foundation

/// The facts about a response that a transport needs: its errors, data and results.
struct ResponseOutline: Sendable {
  /// The errors; empty if the body is not a GraphQL response.
  var errors: [GraphQLError]
  /// `true` if there is data other than null.
  var hasData: Bool
  /// `true` if the server has carried out a field: one has a value, or an error is inside of what
  /// one returns. The status cannot say the opposite, because it may be that of any field's error.
  var hasResult: Bool

  /// Reads the body of a response, which may be anything.
  init(_ body: Data) {
    // Bytes that are not JSON have neither errors nor data.
    let value = try? JSONValue(responseBytes: body)
    let errors = value?["errors"].map(GraphQLError.list) ?? []
    self.errors = errors
    hasData = value?["data"].map { $0 != .null } ?? false
    hasResult =
      value?["data"]?.hasContents == true || errors.contains { $0.path?.count ?? 0 > 1 }
  }
}

extension JSONValue {
  /// `true` if a field of this data has a value. The name of the root type says nothing.
  var hasContents: Bool {
    guard case .object(let members) = self else { return !isNull }
    return members.contains { $0.key != "__typename" && !$0.value.isNull }
  }
}
