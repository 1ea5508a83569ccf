/// The kind of an operation.
public enum GraphQLOperationType: String, Hashable, Sendable {
  /// Reads data.
  case query
  /// Changes data.
  case mutation
  /// Requests a stream of events.
  case subscription
}

/// A query, mutation or subscription of generated code, with the values of its variables.
///
/// ```swift
/// let query = HeroQuery(episode: .empire)
/// let response = try ResponseDecoder().decode(bytes, as: query)
/// ```
public protocol GraphQLOperation: Sendable, Hashable {
  /// The model of its data. In generated code, it is a ``GeneratedCode/RootModelValue`` as well.
  associatedtype Data: RootSelectionSet & Hashable
  /// The form of its responses.
  associatedtype ResponseFormat: OperationResponseFormat = SingleResponseFormat

  /// The name in the document.
  static var operationName: String { get }
  /// The kind of the operation.
  static var operationType: GraphQLOperationType { get }
  /// The document that requests contain.
  static var operationDocument: OperationDocument { get }
  /// The selections.
  static var __selections: GeneratedCode.Selections { get }

  /// The values of the variables; `nil` without variables.
  var __variables: Variables? { get }
}

extension GraphQLOperation {
  /// No variables.
  public var __variables: Variables? { nil }

  /// Returns whether both operations have equal variables.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.__variables == rhs.__variables }

  /// Hashes the variables.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }

  /// The hash of the variables.
  public var hashValue: Int {
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    get {
      var hasher = Hasher()
      hash(into: &hasher)
      return hasher.finalize()
    }
  }

  /// Hashes the variables for a set or a dictionary, which chooses the seed.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  public func _rawHashValue(seed: Int) -> Int { __variables._rawHashValue(seed: seed) }
}

/// An operation that can be sent together with files: a query or a mutation.
public protocol UploadableOperation: GraphQLOperation {}

/// A query of generated code.
public protocol GraphQLQuery: UploadableOperation {}

/// A mutation of generated code.
public protocol GraphQLMutation: UploadableOperation {}

/// A subscription of generated code.
public protocol GraphQLSubscription: GraphQLOperation {}

extension GraphQLQuery {
  /// Always ``GraphQLOperationType/query``.
  public static var operationType: GraphQLOperationType { .query }
}

extension GraphQLMutation {
  /// Always ``GraphQLOperationType/mutation``.
  public static var operationType: GraphQLOperationType { .mutation }
}

extension GraphQLSubscription {
  /// Always ``GraphQLOperationType/subscription``.
  public static var operationType: GraphQLOperationType { .subscription }
}
