package import ApolloAPI
package import ApolloCache
package import ApolloTransport

/// A part of another product that follows the life of a client, such as an offline queue.
package protocol ClientAttachment: AnyObject, Sendable {
  /// Stops everything that is done for the session, before the session ends. Returns when nothing
  /// of it can be sent any more.
  func sessionEnds() async
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
  /// - Returns: The response, with data, GraphQL errors, or both.
  /// - Throws: The errors of a call without a layer.
  package func response<Mutation: GraphQLMutation>(
    to mutation: Mutation, in layer: LayerID, files: [GraphQLFile],
    configuration: RequestConfiguration
  ) async throws -> GraphQLResponse<Mutation> {
    var request = request(mutation, .networkOnly, configuration, nil, files: files)
    request.position = .layer(layer)
    return try await response(to: request)
  }

  /// The clock of the client's deadlines.
  package var alarmClock: any AlarmClock { clock }
}
