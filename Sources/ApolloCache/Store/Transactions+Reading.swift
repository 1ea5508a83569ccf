public import ApolloAPI

/// The reading methods of both kinds of transactions.
public protocol CacheTransaction {
  /// Returns the record with this key, or `nil` if there is none.
  ///
  /// - Throws: ``StoreError`` after the transaction, and the errors of the cache.
  func record(for key: RecordKey) throws -> Record?

  /// Reads the data of a query.
  ///
  /// - Throws: The first ``CacheMiss``; ``StoreError`` after the transaction; the errors of the
  ///   cache.
  func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data

  /// Reads the data of a local cache mutation. Fields that may be null and are not cached are
  /// `nil`.
  ///
  /// - Throws: The first ``CacheMiss``; ``StoreError`` after the transaction; the errors of the
  ///   cache.
  func read<Mutation: LocalCacheMutation>(_ mutation: Mutation) throws -> Mutation.Data

  /// Reads one record as a selection set, such as `Character:1000` as a fragment.
  ///
  /// - Parameters:
  ///   - type: The selection set.
  ///   - key: The key of the record.
  ///   - variables: The values of the variables in the selections.
  /// - Returns: The record as a model.
  /// - Throws: The first ``CacheMiss``; ``StoreError`` after the transaction; the errors of the
  ///   cache.
  func readObject<Data: RootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables?
  ) throws -> Data
}

extension CacheTransaction {
  /// Reads one record as a selection set without variables.
  ///
  /// - Throws: The first ``CacheMiss``; ``StoreError`` after the transaction; the errors of the
  ///   cache.
  public func readObject<Data: RootSelectionSet>(ofType type: Data.Type, withKey key: RecordKey)
    throws -> Data
  {
    try readObject(ofType: type, withKey: key, variables: nil)
  }
}

extension ReadTransaction: CacheTransaction {
  /// Reads the data of a query, or throws the first ``CacheMiss``.
  public func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data {
    try reading(Query.Data.self, from: .queryRoot, variables: query.__variables).get()
  }

  /// Reads the data of a local cache mutation, or throws the first ``CacheMiss``. Fields that may
  /// be null and are not cached are `nil`.
  public func read<Mutation: LocalCacheMutation>(_ mutation: Mutation) throws -> Mutation.Data {
    try reading(
      Mutation.Data.self, from: .root(of: Mutation.operationType), variables: mutation.__variables,
      allowsMissingFields: true
    ).get()
  }

  /// Reads one record as a selection set, or throws the first ``CacheMiss``.
  public func readObject<Data: RootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables?
  ) throws -> Data {
    try reading(type, from: key, variables: variables).get()
  }
}

extension ReadWriteTransaction: CacheTransaction {
  /// Reads the data of a query, or throws the first ``CacheMiss``.
  public func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data {
    try reading(Query.Data.self, from: .queryRoot, variables: query.__variables).get()
  }

  /// Reads the data of a local cache mutation, or throws the first ``CacheMiss``. Fields that may
  /// be null and are not cached are `nil`.
  public func read<Mutation: LocalCacheMutation>(_ mutation: Mutation) throws -> Mutation.Data {
    try reading(
      Mutation.Data.self, from: .root(of: Mutation.operationType), variables: mutation.__variables,
      allowsMissingFields: true
    ).get()
  }

  /// Reads one record as a selection set, or throws the first ``CacheMiss``.
  public func readObject<Data: RootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables?
  ) throws -> Data {
    try reading(type, from: key, variables: variables).get()
  }
}
