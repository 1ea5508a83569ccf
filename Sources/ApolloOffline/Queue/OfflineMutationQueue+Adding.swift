public import Apollo
public import ApolloAPI
import ApolloCache
public import ApolloTransport
import Foundation

/// A mutation that was put into a queue.
public struct OfflineMutation<Mutation: GraphQLMutation>: Sendable {
  /// The identity in the queue.
  public let id: OfflineID
  let end: EndOfMutation

  /// The response, when the server has given one in this run of the program.
  ///
  /// Waiting for it is not necessary: the mutation is sent anyway.
  ///
  /// - Throws: ``OfflineFailure`` if the server has rejected the mutation and
  ///   ``OfflineConflictRule/skip`` has dropped it; ``OfflineError`` with the code `ended` if it
  ///   leaves the queue without a response for another reason, or if the queue is released;
  ///   `CancellationError` if the task is cancelled. The mutation is sent nevertheless.
  public var response: GraphQLResponse<Mutation> {
    get async throws {
      guard let response = try await end.value() as? GraphQLResponse<Mutation> else {
        throw OfflineError(.performed)
      }
      return response
    }
  }
}

extension ApolloClient {
  /// Puts a mutation into the queue of the client and returns when it is on disk.
  ///
  /// ```swift
  /// let change = try await apollo.perform(
  ///   mutation: RenameTodoMutation(id: "1", title: "Milk"), optimistic: expected,
  ///   offline: .enqueue(key: .automatic, conflict: .handler))
  /// ```
  ///
  /// - Parameters:
  ///   - mutation: The mutation, whose type is registered with the queue.
  ///   - data: The expected data, which is visible until the server responds, or `nil`.
  ///   - update: A registered updater that changes other cached data until then, or `nil`.
  ///   - files: The files to upload with the mutation.
  ///   - rules: The rules for the mutation.
  /// - Returns: The mutation in the queue.
  /// - Throws: ``OfflineError``, and the errors of the file. The mutation is not in the queue then.
  public func perform<Mutation: GraphQLMutation>(
    mutation: Mutation, optimistic data: Mutation.Data? = nil,
    updating update: OfflineUpdate? = nil,
    files: [GraphQLFile] = [], offline rules: OfflineRules
  ) async throws -> OfflineMutation<Mutation> {
    guard let queue = offlineQueue else {
      throw OfflineError(.noQueue, "The client has no queue. Call 'use(_:)' with one first.")
    }
    return try await queue.add(mutation, data, update, files, rules)
  }
}

extension OfflineMutationQueue {
  func add<Mutation: GraphQLMutation>(
    _ mutation: Mutation, _ data: Mutation.Data?, _ update: OfflineUpdate?,
    _ files: [GraphQLFile], _ rules: OfflineRules
  ) async throws -> OfflineMutation<Mutation> {
    // First of all: the user may log out before the mutation is in the file.
    guard let session = front.machine.withLock({ $0.isEnding ? nil : $0.session }) else {
      throw OfflineError.sessionHasEnded
    }
    let name = Mutation.operationName
    try checkRegistration(name, update, rules)
    let payload = Payload(
      variables: mutation.__variables?.jsonValue ?? .object([:]), optimistic: data?.jsonValue,
      updates: update.map { [$0] } ?? [])
    if rules.key != nil { try front.checkPlaceOfKey(in: payload.variables, of: name) }
    let draft = MutationDraft(
      operationName: name, payload: payload, key: rules.key.map { $0.value ?? UUID().uuidString },
      files: files, rules: rules,
      merge: front.registry.withLock { $0.mutations[name]?.merge })
    let end = EndOfMutation()
    let id = try await executor.add(draft, in: session, end)
    return OfflineMutation(id: OfflineID(rawValue: id), end: end)
  }

  private func checkRegistration(
    _ operationName: String, _ update: OfflineUpdate?, _ rules: OfflineRules
  ) throws {
    let registry = front.registry.get()
    guard let registered = registry.mutations[operationName] else {
      throw OfflineError(
        .notRegistered,
        "'\(operationName)' is not registered, so it could not be sent after a restart. Call 'register(_:)' first."
      )
    }
    if rules.conflict == .handler, registered.decide == nil {
      throw OfflineError(
        .notRegistered,
        "'\(operationName)' has no handler. Register it with 'onConflict:', or choose another rule."
      )
    }
    if case .merge = rules.superseding, registered.merge == nil {
      throw OfflineError(
        .notRegistered,
        "'\(operationName)' has no merge. Register it with 'merging:', or choose another rule.")
    }
    if let update, registry.updaters[update.name] == nil {
      throw OfflineError(
        .notRegistered,
        "The updater '\(update.name)' is not registered. Call 'registerUpdater(_:_:)' first.")
    }
  }
}
