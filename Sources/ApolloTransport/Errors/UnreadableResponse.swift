package import ApolloAPI

/// An error with which a call may fail because its response has arrived and cannot be used.
///
/// The response to the same request would be the same the next time.
package protocol UnreadableResponse: Error {
  /// `false` if the error is of another kind.
  var isUnreadable: Bool { get }
}

extension ResponseError: UnreadableResponse {
  package var isUnreadable: Bool { true }
}
