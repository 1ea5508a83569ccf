package import ApolloAPI

extension ApolloStore {
  /// Returns whether the cache has the beginning of a list, so that directives such as
  /// `@appendNode` can change it.
  ///
  /// ```swift
  /// let toys = ListID(field: "products", arguments: ["category": "toys"])
  /// if try await !store.contains(toys) { print("No query has fetched this list.") }
  /// ```
  ///
  /// - Parameter list: The identifier of the list.
  /// - Returns: `true` if the first page is in the cache, or the last one of a list that is read
  ///   from its end.
  /// - Throws: The errors of the cache, and ``StoreError`` inside of a transaction.
  public nonisolated(nonsending) func contains(_ list: ListID) async throws -> Bool {
    guard let location = ListLocation(list.rawValue) else { return false }
    return try await withinReadTransaction { try $0.has(location) }
  }

  /// Returns the lists that a response was to change, and that are not in the cache.
  ///
  /// - Parameters:
  ///   - response: The response, or a part of one. Directives of fields that are null or absent do
  ///     not count, nor do those of an earlier part.
  ///   - schema: The schema of the operation.
  /// - Returns: The lists, each once. None if the cache cannot be read without waiting.
  /// - Throws: The errors of the cache.
  package func unknownLists(
    of response: NormalizedResponse, _ schema: any SchemaMetadata.Type
  ) throws -> [UnknownList] {
    var texts: [String] = []
    for text in response.newListChanges.flatMap(\.names) where !texts.contains(text) {
      texts.append(text)
    }
    guard !texts.isEmpty, let snapshot = try openVisibleAtOnce(), snapshot.isStable,
      !snapshot.loadsInBatches
    else { return [] }
    let records = TransactionOverlay(snapshot)
    return try texts.compactMap { text in
      guard let list = ListLocation(text) else {
        return UnknownList(name: text, reason: .noIdentifier)
      }
      guard try !records.has(list) else { return nil }
      return UnknownList(list, try records.typename(around: list, schema), schema)
    }
  }
}

/// A list that a directive names, and that is not in the cache.
package struct UnknownList: Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    /// The text is no identifier of a list.
    case noIdentifier
    /// No query has fetched the list.
    case notFetched
    /// The field is no connection that the cache merges.
    case noConnection
    /// Arguments with these names select no list of the field.
    case otherArguments([String])
  }

  /// The name of the field.
  package let name: String
  package let reason: Reason

  fileprivate init(name: String, reason: Reason) {
    self.name = name
    self.reason = reason
  }

  fileprivate init(
    _ list: ListLocation, _ typename: String?, _ schema: any SchemaMetadata.Type
  ) {
    self.init(name: list.name, reason: Self.reason(of: list, typename, schema))
  }

  /// Returns why a list is not in the cache, as far as the type of its object is known.
  private static func reason(
    of list: ListLocation, _ typename: String?, _ schema: any SchemaMetadata.Type
  ) -> Reason {
    // The list of an `@connection` has a policy of its own.
    guard let type = typename, schema.types.knows(type), !list.name.hasPrefix("__") else {
      return .notFetched
    }
    guard let policy = schema.listPolicy(ofField: list.name, on: [type]),
      policy.paging == .cursors
    else { return .noConnection }
    let others = list.arguments.keys.filter { $0 != "__items" && !policy.selectsLists(by: $0) }
    return others.isEmpty ? .notFetched : .otherArguments(others.sorted())
  }
}
