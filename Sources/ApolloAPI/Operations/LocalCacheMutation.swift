/// An operation of generated code that changes the cache and is never sent.
///
/// ```swift
/// try await store.withinReadWriteTransaction { transaction in
///   try transaction.update(HeroLocalCacheMutation()) { $0.hero?.name = "Luke" }
/// }
/// ```
///
/// The generator makes one from an operation with `@apollo_client_ios_localCacheMutation`. The
/// properties of its models can be set: a store reads the data from its cache, passes it to a
/// closure that changes it, and writes it back.
public protocol LocalCacheMutation: Sendable, Hashable {
  /// The model of its data. In generated code, it is a ``GeneratedCode/RootModelValue`` as well.
  associatedtype Data: MutableRootSelectionSet & Hashable

  /// The root type that the data belongs to: that of queries, mutations or subscriptions.
  static var operationType: GraphQLOperationType { get }

  /// The values of the variables; `nil` without variables.
  var __variables: Variables? { get }
}

extension LocalCacheMutation {
  /// No variables.
  public var __variables: Variables? { nil }

  /// Returns whether both mutations have equal variables.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.__variables == rhs.__variables }

  /// Hashes the variables.
  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }
}
