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
  /// - Throws: ``OfflineError`` with the code `ended` if the mutation leaves the queue without a
  ///   response.
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
    try checkRegistration(Mutation.operationName, update, rules)
    let payload = Payload(
      variables: mutation.__variables?.jsonValue ?? .object([:]), optimistic: data?.jsonValue,
      update: update)
    let key = rules.key.map { $0.value ?? UUID().uuidString }
    let files = try files.map { try stored($0, rules.files) }
    let end = EndOfMutation()
    while true {
      if let (id, old) = try add(Mutation.operationName, payload, key, files, rules, end) {
        await showLayers(of: old + (data == nil && update == nil ? [] : [id]))
        core.withLock { $0.release(id) }
        wake([rules.lane])
        return OfflineMutation(id: OfflineID(number: id), end: end)
      }
      // Another queue may have sent it.
      _ = try change { try $0.reloadIfNeeded() }
      await showTouchedLayers()
    }
  }

  /// Returns the number of the new mutation and of those whose place it has taken, or `nil` if one
  /// of these has just been sent.
  private func add(
    _ operationName: String, _ payload: Payload, _ key: String?, _ files: [StoredFile],
    _ rules: OfflineRules, _ end: EndOfMutation
  ) throws -> (Int64, [Int64])? {
    var (payload, superseded) = (payload, [Int64]())
    if let subject = rules.superseding.subject {
      superseded = core.withLock {
        $0.superseded(by: subject, in: rules.lane, operationName: operationName)
      }
    }
    if case .merge = rules.superseding, let last = superseded.last {
      superseded = [last]
      guard let (bytes, _) = try core.withLock({ try $0.contents(of: last) }) else { return nil }
      let older = try Payload(bytes: opened(bytes))
      let merge = registry.withLock { $0.mutations[operationName]?.merge }
      if let merge { payload.variables = try merge(older.variables, payload.variables) }
    }
    let (resolved, needs) = core.withLock { $0.resolving(payload) }
    let new = NewEntry(
      lane: rules.lane, operationName: operationName, key: key, rules: rules,
      needs: needs.filter { rules.creates[$0] == nil },
      isVisible: resolved.optimistic != nil || resolved.update != nil,
      payload: try sealed(resolved.bytes), files: files)
    let date = now.date
    let id = try change { core -> Int64? in
      let id = try core.add(new, superseding: superseded, at: date)
      // Under the lock, so that no event of the mutation comes before.
      if let id { state.withLock { $0.handles[id] = end } }
      return id
    }
    return id.map { ($0, superseded) }
  }

  private func checkRegistration(
    _ operationName: String, _ update: OfflineUpdate?, _ rules: OfflineRules
  ) throws {
    let registry = registry.get()
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

  private func stored(_ file: GraphQLFile, _ storage: OfflineFileStorage) throws -> StoredFile {
    var stored = StoredFile(
      fieldName: file.fieldName, originalName: file.originalName, mimeType: file.mimeType)
    switch file.content {
    case .data(let data): stored.content = try sealed([UInt8](data))
    case .file(let url) where storage == .referenced: stored.path = url.path
    case .file(let url): stored.content = try sealed([UInt8](try Data(contentsOf: url)))
    }
    return stored
  }
}
