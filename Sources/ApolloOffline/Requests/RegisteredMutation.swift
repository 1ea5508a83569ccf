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
    /// The GraphQL errors of a response to a mutation that was performed, or `nil`.
    var partialFailure: OfflineFailure?
  }

  /// A rejected mutation.
  struct Rejection: Sendable {
    let variables: JSONValue
    let failure: OfflineFailure
    let sent: Sent?
    let mayHaveBeenPerformed: Bool
    let attemptCount: Int
  }

  /// The parts of a request that are not the mutation's own.
  struct Request: Sendable {
    let layer: LayerID
    let files: [GraphQLFile]
    let configuration: RequestConfiguration
    /// The session in which the attempt was noted.
    let session: CallSession
    let creates: [String: [String]]
    /// `true` if the mutation has a key, which is in headers alone.
    let needsHeaders: Bool
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
      let model: Mutation.Data
      do {
        model = try Mutation.Data(jsonValue: data, variables: mutation.__variables)
      } catch {
        throw UndecodableData(operationName: Mutation.operationName, error: error)
      }
      try transaction.write(data: model, for: mutation)
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
          error: rejection.sent?.error, mayHaveBeenPerformed: rejection.mayHaveBeenPerformed,
          attemptCount: rejection.attemptCount)
        return await handler(conflict).erased
      }
    } else {
      decide = nil
    }
  }

  private static func response<Mutation: GraphQLMutation>(
    to mutation: StoredMutation<Mutation>, _ request: Request, from client: ApolloClient
  ) async -> Sent {
    let record = SendingRecord(needsHeaders: request.needsHeaders)
    var call = request.session
    call.record = record
    do {
      let response = try await client.response(
        to: mutation, in: request.layer, files: request.files,
        configuration: request.configuration, session: call
      ).response(to: Mutation.self)
      let facts = record.close()
      // `@throwOnFieldError` and `@required` can leave no data of what the server has performed,
      // and add errors of their own.
      let received = response.result.asReceived
      let errors = received.errors ?? []
      let isNeeded = !errors.isEmpty || !request.creates.isEmpty
      let json = isNeeded ? received.data?.jsonValue : nil
      guard errors.isEmpty || isPerformed(mutation, json) else {
        return Sent(
          outcome: AttemptOutcome(response.http, errors, facts), response: response)
      }
      let messages = (response.errors ?? []).map(\.message)
      let failure = OfflineFailure(
        .graphQL, statusCode: response.http?.statusCode, messages: messages)
      return Sent(
        outcome: .performed(identifiers(request.creates, in: json)), response: response,
        partialFailure: messages.isEmpty ? nil : failure)
    } catch {
      return Sent(outcome: AttemptOutcome(error, record.close()), error: error)
    }
  }

  /// Returns whether a response with errors has the result of a root field. The server has then
  /// performed that, and something else has failed.
  private static func isPerformed<Mutation: GraphQLMutation>(
    _ mutation: StoredMutation<Mutation>, _ data: JSONValue?
  ) -> Bool {
    // The name of the root type says nothing.
    let names = Mutation.__selections.responseKeys(ofFieldNamed: "__typename")
    return (data?.objectValue ?? [:]).contains { !$1.isNull && !names.contains($0) }
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

/// Data in the file that the type of the mutation does not have any more.
struct UndecodableData: Error, CustomStringConvertible {
  let operationName: String
  let error: any Error

  var description: String {
    "The data of '\(operationName)' in the queue does not fit its type: \(error)"
  }
}
