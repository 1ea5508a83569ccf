package import ApolloAPI
package import ApolloCache
package import ApolloTransport

/// A part of another product that follows the life of a client, such as an offline queue.
///
/// A protocol although `OfflineMutationQueue` alone conforms: that is in a module above this one.
package protocol ClientAttachment: AnyObject, Sendable {
  /// Stops everything that is done for the session. Nothing of it is sent any more when this
  /// returns, which is at once.
  ///
  /// - Returns: A closure that does the rest, after the session has ended for the client. It waits
  ///   for no call, so a call may end its own session, and throws the errors of what must be
  ///   removed.
  func stopSession() -> @Sendable () async throws -> Void
}

extension ApolloClient {
  /// Performs a mutation whose response takes the place of a layer that the caller owns.
  ///
  /// The layer stays as it is if the call fails, or if the response has no data.
  ///
  /// - Parameters:
  ///   - mutation: The mutation with the values of its variables.
  ///   - layer: The layer, which the caller removes.
  ///   - files: The files to upload with the mutation.
  ///   - configuration: The options of the call.
  ///   - session: The session of the caller. Its end stops the call, as the end of the client's
  ///     own session does with other calls.
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: The errors of a call without a layer.
  package func response<Mutation: GraphQLMutation>(
    to mutation: Mutation, in layer: LayerID, files: [GraphQLFile],
    configuration: RequestConfiguration, session: CallSession
  ) async throws -> GraphQLResponse<Mutation> {
    var request = request(mutation, .networkOnly, configuration, nil, files: files)
    request.position = .layer(layer)
    request.facts.session = session
    return try await response(to: request)
  }

  /// The clock of the client's deadlines.
  package var alarmClock: any AlarmClock { clock }
}
