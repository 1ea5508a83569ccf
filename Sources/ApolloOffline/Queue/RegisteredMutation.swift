import Apollo
import ApolloAPI
import ApolloCache
import ApolloTransport

/// The knowledge of a queue about a type of mutations, without the type.
struct RegisteredMutation: Sendable {
  /// The result of one request.
  struct Sent: Sendable {
    let outcome: AttemptOutcome
    /// A `GraphQLResponse` of the mutation.
    var response: (any Sendable)?
    var error: (any Error)?
  }

  /// A rejected mutation.
  struct Rejection: Sendable {
    let variables: JSONValue
    let failure: OfflineFailure
    let sent: Sent?
    let attemptCount: Int
  }

  /// The parts of a request that are not the mutation's own.
  struct Request: Sendable {
    let layer: LayerID
    let files: [GraphQLFile]
    let configuration: RequestConfiguration
    let creates: [String: [String]]
  }

  let send: @Sendable (ApolloClient, JSONValue, Request) async -> Sent
  /// Writes expected data to a layer.
  let write: @Sendable (ReadWriteTransaction, JSONValue, JSONValue) throws -> Void
  let decide: (@Sendable (Rejection) async -> ErasedDecision)?
  let merge: (@Sendable (JSONValue, JSONValue) throws -> JSONValue)?

  init<Mutation: GraphQLMutation>(
    _ mutation: Mutation.Type,
    merging merge: (@Sendable (Variables, Variables) throws -> Variables)?,
    onConflict handler: (@Sendable (OfflineConflict<Mutation>) async -> OfflineDecision<Mutation>)?
  ) {
    send = {
      (client: ApolloClient, variables: JSONValue, request: Request) async -> Sent in
      let mutation = StoredMutation<Mutation>(variables: variables.variables)
      return await Self.response(to: mutation, request, from: client)
    }
    write = {
      (transaction: ReadWriteTransaction, data: JSONValue, variables: JSONValue) throws in
      let mutation = StoredMutation<Mutation>(variables: variables.variables)
      let data = try Mutation.Data(jsonValue: data, variables: mutation.__variables)
      try transaction.write(data: data, for: mutation)
    }
    if let merge {
      self.merge = { (older: JSONValue, newer: JSONValue) throws -> JSONValue in
        try merge(older.variables, newer.variables).jsonValue
      }
    } else {
      self.merge = nil
    }
    if let handler {
      decide = { (rejection: Rejection) async -> ErasedDecision in
        let conflict = OfflineConflict<Mutation>(
          variables: rejection.variables.variables, failure: rejection.failure,
          response: rejection.sent?.response as? GraphQLResponse<Mutation>,
          error: rejection.sent?.error, attemptCount: rejection.attemptCount)
        return await handler(conflict).erased
      }
    } else {
      decide = nil
    }
  }

  private static func response<Mutation: GraphQLMutation>(
    to mutation: StoredMutation<Mutation>, _ request: Request, from client: ApolloClient
  ) async -> Sent {
    do {
      let response = try await client.response(
        to: mutation, in: request.layer, files: request.files,
        configuration: request.configuration
      ).response(to: Mutation.self)
      if let errors = response.errors, !errors.isEmpty {
        let failure = OfflineFailure(
          .graphQL, statusCode: response.http?.statusCode, messages: errors.map(\.message))
        return Sent(outcome: .rejected(failure), response: response)
      }
      let json = request.creates.isEmpty ? nil : response.data?.jsonValue
      return Sent(
        outcome: .performed(identifiers(request.creates, in: json)), response: response)
    } catch {
      return Sent(outcome: AttemptOutcome(error), error: error)
    }
  }

  /// Returns the real identifiers that a response has at some paths.
  private static func identifiers(
    _ creates: [String: [String]], in data: JSONValue?
  ) -> [String: String] {
    creates.compactMapValues { path in
      var value = data
      for name in path {
        value = Int(name).flatMap { value?[$0] } ?? value?[name]
      }
      return value?.stringValue ?? value?.intValue.map(String.init)
    }
  }
}
