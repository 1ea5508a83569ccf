/// An operation of generated code that changes the cache and is never sent.
///
/// The generator makes one of an operation with `@apollo_client_ios_localCacheMutation`. Its models have properties that can be
/// set; a store reads them from its cache, lets a closure change them, and writes them back.
public protocol LocalCacheMutation: Sendable, Hashable {
  /// What is read, changed and written. That of generated code is a ``RootModelValue`` as well.
  associatedtype Data: MutableRootSelectionSet & Hashable

  /// Whose root it is made on: that of queries, of mutations or of subscriptions.
  static var operationType: GraphQLOperationType { get }

  /// The values of the variables, or `nil` when it has none.
  var __variables: Variables? { get }
}

extension LocalCacheMutation {
  /// None.
  public var __variables: Variables? { nil }

  /// Local cache mutations are equal when their variables are.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.__variables == rhs.__variables }

  /// Hashes the variables.
  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }
}
