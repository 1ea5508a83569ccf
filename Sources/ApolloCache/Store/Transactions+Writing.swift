public import ApolloAPI

// Data is written as the operation or the fragment selects it, with its variables. Fields that the
// model's object has beyond that, or that the variables exclude, are not written.
extension ReadWriteTransaction {
  /// Writes the data of an operation, as if it were the response of the server, and changes the
  /// lists that its directives name.
  ///
  /// Of a mutation or a subscription only the objects with keys are kept, not the root fields.
  public func write<Operation: GraphQLOperation>(data: Operation.Data, for operation: Operation)
    throws
  {
    try write(
      data, to: .root(of: operation), variables: operation.__variables,
      keepsRoot: Operation.operationType == .query, listEdits: operation.listEdits)
  }

  /// Writes the data of a local cache mutation.
  public func write<Mutation: LocalCacheMutation>(data: Mutation.Data, for mutation: Mutation)
    throws
  {
    try write(data, to: .root(of: Mutation.operationType), variables: mutation.__variables)
  }

  /// Writes a model into one record.
  ///
  /// A list with an element that is `nil` because of an error is left out, so that the cache keeps
  /// what it has. A change of the list or of one of its elements ends the errors of all of them:
  /// the list is then written, with a null for each element that has failed. Change such a list in
  /// ``updateObject(ofType:withKey:variables:_:)``, where these elements stay failures.
  public func write<Data: RootSelectionSet>(
    selectionSet data: Data, withKey key: RecordKey, variables: Variables? = nil
  ) throws {
    try write(data, to: key, variables: variables)
  }

  /// Reads the data of a query, lets `body` change it, and writes it back.
  ///
  /// Fields that may be null and are not cached, or that failed, are `nil`. They are written only
  /// if `body` sets them. Elements of lists that failed are `nil` too, and stay failures in the
  /// cache, also if the list changes around them.
  ///
  /// - Throws: The first ``CacheMiss`` of a field that may not be null, and the errors of `body`.
  ///   Nothing is written then.
  public func update<Query: GraphQLQuery>(
    query: Query, _ body: (inout Query.Data) throws -> Void
  ) throws where Query.Data: MutableRootSelectionSet {
    try change(Query.Data.self, at: .queryRoot, variables: query.__variables, body)
  }

  /// Reads the data of a local cache mutation, lets `body` change it, and writes it back.
  ///
  /// ```swift
  /// try await store.withinReadWriteTransaction { transaction in
  ///   try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
  /// }
  /// ```
  ///
  /// Fields that may be null and are not cached, or that failed, are `nil`. They are written only
  /// if `body` sets them. Elements of lists that failed are `nil` too, and stay failures in the
  /// cache, also if the list changes around them.
  ///
  /// - Throws: The first ``CacheMiss`` of a field that may not be null, and the errors of `body`.
  ///   Nothing is written then.
  public func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: (inout Mutation.Data) throws -> Void
  ) throws {
    try change(
      Mutation.Data.self, at: .root(of: Mutation.operationType), variables: mutation.__variables,
      body)
  }

  /// Reads one record as a selection set, lets `body` change it, and writes it back.
  ///
  /// Fields that may be null and are not cached, or that failed, are `nil`. They are written only
  /// if `body` sets them. Elements of lists that failed are `nil` too, and stay failures in the
  /// cache, also if the list changes around them.
  ///
  /// - Throws: The first ``CacheMiss`` of a field that may not be null, and the errors of `body`.
  ///   Nothing is written then.
  public func updateObject<Data: MutableRootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables? = nil,
    _ body: (inout Data) throws -> Void
  ) throws {
    try change(type, at: key, variables: variables, body)
  }

  /// Reads a selection, lets `body` change it, and writes back what it has changed.
  private func change<Data: RootSelectionSet>(
    _ type: Data.Type, at key: RecordKey, variables: Variables?, _ body: (inout Data) throws -> Void
  ) throws {
    let known = try reading(
      type, from: key, variables: variables, allowsMissingFields: true,
      leavesOutFailedElements: true
    ).get()
    var data = known
    try body(&data)
    try write(data, replacing: known, to: key, variables: variables)
  }
}
