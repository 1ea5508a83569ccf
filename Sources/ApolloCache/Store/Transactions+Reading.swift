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

  /// Reads what a selection set shows of one record, or throws the first ``CacheMiss``.
  public func readObject<Data: RootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables?
  ) throws -> Data {
    try reading(type, from: key, variables: variables).get()
  }
}

// MARK: - Writing

extension ReadWriteTransaction {
  /// Writes the data of an operation, as if the server had answered it.
  public func write<Operation: GraphQLOperation>(data: Operation.Data, for operation: Operation)
    throws
  {
    try write(data, to: .root(of: operation), variables: operation.__variables)
  }

  /// Writes what a selection set shows into one record.
  public func write<Data: RootSelectionSet>(
    selectionSet data: Data, withKey key: RecordKey, variables: Variables? = nil
  ) throws {
    try write(data, to: key, variables: variables)
  }

  /// Reads what `query` asks for, lets `body` change it, and writes it back.
  ///
  /// - Throws: the first ``CacheMiss``, and what `body` throws; nothing is written then.
  public func update<Query: GraphQLQuery>(
    query: Query, _ body: (inout Query.Data) throws -> Void
  ) throws where Query.Data: MutableRootSelectionSet {
    var data = try read(query: query)
    try body(&data)
    try write(data: data, for: query)
  }

  /// Reads what a selection set shows of one record, lets `body` change it, and writes it back.
  ///
  /// - Throws: the first ``CacheMiss``, and what `body` throws; nothing is written then.
  public func updateObject<Data: MutableRootSelectionSet>(
    ofType type: Data.Type, withKey key: RecordKey, variables: Variables? = nil,
    _ body: (inout Data) throws -> Void
  ) throws {
    var data = try readObject(ofType: type, withKey: key, variables: variables)
    try body(&data)
    try write(selectionSet: data, withKey: key, variables: variables)
  }
}
