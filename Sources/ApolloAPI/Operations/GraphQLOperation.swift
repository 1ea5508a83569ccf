/// Which of the three kinds of operation a type is.
public enum GraphQLOperationType: String, Hashable, Sendable {
  /// Reads data.
  case query
  /// Changes data.
  case mutation
  /// Asks for a stream of events.
  case subscription
}

/// A query, mutation or subscription of generated code, with the values of its variables.
public protocol GraphQLOperation: Sendable, Hashable {
  /// What its responses are read into. That of generated code is a ``RootModelValue`` as well.
  associatedtype Data: RootSelectionSet & Hashable
  /// How a server may answer it.
  associatedtype ResponseFormat: OperationResponseFormat = SingleResponseFormat

  /// The name in the document.
  static var operationName: String { get }
  /// Whether it is a query, a mutation or a subscription.
  static var operationType: GraphQLOperationType { get }
  /// What is sent to the server.
  static var operationDocument: OperationDocument { get }
  /// What it selects.
  static var __selections: Selections { get }

  /// The values of the variables, or `nil` when it has none.
  var __variables: Variables? { get }
}

extension GraphQLOperation {
  /// None.
  public var __variables: Variables? { nil }

  /// Operations are equal when their variables are.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.__variables == rhs.__variables }

  /// Hashes the variables.
  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }

  /// The hash of the variables.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}

/// A query of generated code.
public protocol GraphQLQuery: GraphQLOperation {}

/// A mutation of generated code.
public protocol GraphQLMutation: GraphQLOperation {}

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
