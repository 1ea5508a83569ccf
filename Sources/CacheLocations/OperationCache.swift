internal import ApolloAPI
internal import ApolloCache
package import CacheInspection
internal import Foundation
#if SQLITE
  internal import ApolloSQLite
#endif

/// An operation that a program without generated code reads from a cache and writes to it.
package struct CachedOperation: Sendable {
  /// The name that the cache keeps of the writes.
  let name: String
  let kind: Kind
  let selections: GeneratedCode.Selections
  let types: GeneratedCode.SchemaTypes
  let maxAges: MaxAges
  let hasMaxAges: Bool
  let identifyingField: String?
  let variables: Variables?

  package enum Kind: Hashable, Sendable {
    case query, mutation, subscription
  }

  /// The operation of the current task.
  @TaskLocal static var current: CachedOperation?

  /// The same, while a cache is used.
  static var described: CachedOperation {
    guard let current else { preconditionFailure("A cache is used with an operation only.") }
    return current
  }

  /// Describes an operation.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - kind: The kind.
  ///   - selections: The literal of the selections, as generated code has it, without fragments.
  ///   - leafCount: The number of scalars and enums that the literal refers to.
  ///   - types: The types of the schema, as generated code has them.
  ///   - maxAges: The maximum ages of the schema, as generated code has them.
  ///   - hasMaxAges: Whether the operation has maximum ages of its own.
  ///   - identifyingField: The field that identifies objects whose type has no key fields.
  ///   - variables: A JSON object, or `nil` for no variables.
  /// - Throws: `InspectionError` if the variables are no JSON object.
  package init(
    name: String, kind: Kind, selections: String, leafCount: Int, types: String, maxAges: String,
    hasMaxAges: Bool, identifyingField: String?, variables: String?
  ) throws(InspectionError) {
    self.name = name
    self.kind = kind
    // Enums and custom scalars are kept as the server sends them.
    self.selections = GeneratedCode.Selections(
      selections, leaves: Array(repeating: JSONValue.self, count: leafCount))
    self.types = GeneratedCode.SchemaTypes(types)
    self.maxAges = MaxAges(maxAges)
    self.hasMaxAges = hasMaxAges
    self.identifyingField = identifyingField
    self.variables = try variables.map(Self.variables)
  }

  private static func variables(_ text: String) throws(InspectionError) -> Variables {
    guard let value = try? JSONValue(jsonBytes: Array(text.utf8)), case .object(let members) = value
    else { throw InspectionError("The variables are no JSON object.") }
    var variables = Variables()
    for (name, value) in members { variables[name] = value }
    return variables
  }
}

/// A cache file that answers one operation and takes its responses, as the store of a program does.
package final class OperationCache {
  /// The data of the operation in the cache.
  package struct Reading: Sendable {
    /// The data as JSON, or `nil` if some of it is missing.
    package let data: [UInt8]?
    /// The missing values, as sentences.
    package let misses: [String]
    /// The seconds since the oldest field was written, or `nil` if that is not known.
    package let age: Double?
    /// Indicates whether a field has exceeded its maximum age.
    package let isStale: Bool
  }

  private let operation: CachedOperation
  private let store: ApolloStore
  private let path: String

  #if SQLITE
    /// Opens a cache file, or creates it.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - operation: The operation.
    ///   - mustExist: Whether a file that does not exist is an error.
    /// - Throws: An error that says what to do.
    package init(file path: String, for operation: CachedOperation, mustExist: Bool) throws {
      var configuration = ApolloStore.Configuration()
      configuration.freshness.isTracked = true
      self.operation = operation
      self.path = path
      store = ApolloStore(
        cache: try SQLiteNormalizedCache.opening(cacheFile: path, mustExist: mustExist),
        configuration: configuration)
    }
  #else
    package init(file path: String, for operation: CachedOperation, mustExist: Bool) throws {
      throw CacheLocation.needsSQLite
    }
  #endif

  /// Returns the variables that a request contains: without those that only name lists of the
  /// cache, which the document of the operation does not have.
  ///
  /// - Parameter text: The variables of the operation, as a JSON object.
  /// - Returns: A JSON object. It is `text` itself if all of the variables are sent.
  package func sentVariables(of text: String?) -> String? {
    let sent = CachedOperation.$current.withValue(operation) {
      RunOperation(operation).sentVariables
    }
    guard let all = operation.variables?.fields, sent.count < all.count else { return text }
    let members = sent.map { ($0.name, $0.value) }
    return JSONValue.object(Dictionary(members, uniquingKeysWith: { $1 })).description
  }

  /// Reads the data of the operation.
  ///
  /// - Parameter servesStaleFields: Whether fields are read that have exceeded their maximum age.
  /// - Returns: The data, or what is missing.
  /// - Throws: An error that says what to do.
  package nonisolated(nonsending) func read(servesStaleFields: Bool) async throws -> Reading {
    try await reporting {
      let reading = try await store.load(
        RunOperation(operation), ttlEnforcement: servesStaleFields ? .permissive : .strict)
      return Reading(
        data: reading.data?.jsonBytes, misses: reading.misses.map(\.description),
        age: (reading.freshness?.age).map { Double($0.components.seconds) },
        isStale: reading.freshness?.containsStaleFields ?? false)
    }
  }

  /// Writes a response.
  ///
  /// - Parameter response: The body of the response.
  /// - Throws: An error that says what to do. Nothing is written then.
  package nonisolated(nonsending) func write(_ response: [UInt8]) async throws {
    try await reporting {
      _ = try await store.publish(body: response, of: RunOperation(operation))
    }
  }

  private nonisolated(nonsending) func reporting<Result>(
    _ body: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await CachedOperation.$current.withValue(operation) { try await body() }
    } catch let error as ResponseError {
      throw InspectionError("\(error)")
    } catch {
      #if SQLITE
        if let error = error as? SQLiteError { throw CacheFileError(error, writing: path) }
      #endif
      throw error
    }
  }
}

// MARK: - The operation as a type

/// The operation of the current task, in the place of generated code: what a type of generated code
/// says of itself, this one looks up.
private struct RunOperation: GraphQLQuery {
  static var operationName: String { CachedOperation.described.name }
  static var operationType: GraphQLOperationType {
    switch CachedOperation.described.kind {
    case .query: .query
    case .mutation: .mutation
    case .subscription: .subscription
    }
  }
  /// The document is sent by others.
  static var operationDocument: OperationDocument { .init(definition: .init("")) }
  static var __selections: GeneratedCode.Selections { CachedOperation.described.selections }

  let __variables: Variables?

  init(_ operation: CachedOperation) { __variables = operation.variables }

  struct Data: RootSelectionSet, GeneratedCode.RootModelValue {
    typealias Schema = RunSchema
    private let __storage: GeneratedCode.ResponseObject
    static var __layout: GeneratedCode.SelectionLayout { RunOperation.__selections[0] }
  }
}

/// The schema of the current operation.
private enum RunSchema: SchemaMetadata, SchemaConfiguration {
  static var configuration: any SchemaConfiguration.Type { RunSchema.self }
  static var types: GeneratedCode.SchemaTypes { CachedOperation.described.types }
  static var maxAges: MaxAges { CachedOperation.described.maxAges }
  static var _hasMaxAgesInOperations: Bool { CachedOperation.described.hasMaxAges }

  /// Returns what the `SchemaConfiguration` returns that the generator writes.
  static func cacheKeyInfo(for type: Object, object: ObjectData) -> CacheKeyInfo? {
    guard let field = CachedOperation.described.identifyingField, let id = object[field]
    else { return nil }
    // A value without a text is no key.
    return try? CacheKeyInfo(jsonValue: id)
  }
}
