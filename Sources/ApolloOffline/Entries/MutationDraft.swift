import ApolloAPI
import ApolloTransport

/// A mutation of a program before the queue has looked at what waits.
struct MutationDraft: Sendable {
  let operationName: String
  let payload: Payload
  let key: String?
  /// Not read yet.
  let files: [GraphQLFile]
  let rules: OfflineRules
  let merge: (@Sendable (JSONValue, JSONValue) throws -> JSONValue)?
}
