package import ApolloAPI

/// An error with which a server may have refused an operation before it began.
///
/// A protocol although `WebSocketError` alone conforms: that is in a module above this one.
package protocol OperationRefusal: Error {
  /// The reasons of the server, or `nil` if the error is of another kind.
  var refusal: [GraphQLError]? { get }
}
