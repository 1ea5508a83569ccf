public import ApolloAPI

/// What both kinds of transactions can read.
public protocol CacheTransaction {
  /// The record with this key, or nil.
  ///
  /// - Throws: ``StoreError/transactionEnded``, or what the cache throws.
  func record(for key: RecordKey) throws -> Record?

  /// Reads what `query` asks for.
  ///
  /// - Throws: the first ``CacheMiss``; ``StoreError/transactionEnded``; what the cache throws.
  func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data

  /// Reads what a local cache mutation selects.
  ///
  /// - Throws: the first ``CacheMiss``; ``StoreError/transactionEnded``; what the cache throws.
  func read<Mutation: LocalCacheMutation>(_ mutation: Mutation) throws -> Mutation.Data

  /// Reads what a selection set shows of one record, such as a fragment of `Character:1000`.
  ///
  /// - Parameters:
  ///   - type: the selection set.
  ///   - key: the identity of the record.
  ///   - variables: the values of variables that the selections use.
  /// - Returns: the record as the selection set shows it.
  /// - Throws: the first ``CacheMiss``; ``StoreError/transactionEnded``; what the cache throws.
  func readObject<Data: RootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables?
  ) throws -> Data
}

extension CacheTransaction {
  /// Reads what a selection set without variables shows of one record.
  ///
  /// - Throws: the first ``CacheMiss``; ``StoreError/transactionEnded``; what the cache throws.
  public func readObject<Data: RootSelectionSet>(ofType type: Data.Type, withKey key: RecordKey)
    throws -> Data
  {
    try readObject(ofType: type, withKey: key, variables: nil)
  }
}

extension ReadTransaction: CacheTransaction {
  /// Reads what a query asks for, or throws the first ``CacheMiss``.
  public func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data {
    try reading(Query.Data.self, from: .queryRoot, variables: query.__variables).get()
  }

  /// Reads what a local cache mutation selects, or throws the first ``CacheMiss``.
  public func read<Mutation: LocalCacheMutation>(_ mutation: Mutation) throws -> Mutation.Data {
    try reading(
      Mutation.Data.self, from: .root(of: Mutation.operationType), variables: mutation.__variables
    ).get()
  }

  /// Reads what a selection set shows of one record, or throws the first ``CacheMiss``.
  public func readObject<Data: RootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables?
  ) throws -> Data {
    try reading(type, from: key, variables: variables).get()
  }
}

extension ReadWriteTransaction: CacheTransaction {
  /// Reads what a query asks for, or throws the first ``CacheMiss``.
  public func read<Query: GraphQLQuery>(query: Query) throws -> Query.Data {
    try reading(Query.Data.self, from: .queryRoot, variables: query.__variables).get()
  }

  /// Reads what a local cache mutation selects, or throws the first ``CacheMiss``.
  public func read<Mutation: LocalCacheMutation>(_ mutation: Mutation) throws -> Mutation.Data {
    try reading(
      Mutation.Data.self, from: .root(of: Mutation.operationType), variables: mutation.__variables
    ).get()
  }

  /// Reads what a selection set shows of one record, or throws the first ``CacheMiss``.
  public func readObject<Data: RootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables?
  ) throws -> Data {
    try reading(type, from: key, variables: variables).get()
  }
}
