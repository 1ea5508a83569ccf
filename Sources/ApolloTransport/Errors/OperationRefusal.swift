package import ApolloAPI

/// An error with which a server may have refused an operation before it began.
package protocol OperationRefusal: Error {
  /// The reasons of the server, or `nil` if the error is of another kind.
  var refusal: [GraphQLError]? { get }
}
