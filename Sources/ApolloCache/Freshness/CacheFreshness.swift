public import ApolloAPI
public import struct Foundation.Date

/// The settings for the ages of cached data.
///
/// ```swift
/// var configuration = ApolloStore.Configuration()
/// configuration.freshness.maxAges = ["Product": .seconds(300), "Product.price": .seconds(10)]
/// let store = ApolloStore(cache: cache, configuration: configuration)
/// ```
public struct CacheFreshness: Sendable {
  /// Indicates whether the store tracks when fields were written. `nil` to do so if there are
  /// maximum ages, in these settings, in the schema or in operations.
  public var isTracked: Bool?

  /// The maximum ages, in addition to those of the schema, which they replace.
  public var maxAges: MaxAges = [:]

  /// The maximum age of fields for which there is no rule, or `nil` for no limit.
  public var defaultMaxAge: Duration?

  /// Indicates whether the `max-age` of a response's `Cache-Control` header, or its `Expires`,
  /// limits the age of its fields. The `Age` header is subtracted.
  public var usesServerMaxAge = true

  /// Indicates whether `no-store` and `no-cache` of a response's `Cache-Control` header make its
  /// fields stale at once.
  ///
  /// Many servers send them with every response, which would make the cache useless.
  public var honorsNoStore = false

  /// The clock. A test can set another one.
  public var now: @Sendable () -> Date = { Date() }

  /// Creates the default settings.
  public init() {}

  /// Returns whether the store tracks ages for operations on a schema.
  func isTracked(for schema: any SchemaMetadata.Type) -> Bool {
    isTracked ?? (hasLimits || schema.hasMaxAges)
  }

  /// Indicates whether these settings have a maximum age.
  var hasLimits: Bool { !maxAges.isEmpty || defaultMaxAge != nil }

  /// The maximum ages for operations on a schema.
  func rules(for schema: any SchemaMetadata.Type) -> MaxAges {
    let schemaMaxAges = schema.maxAges
    if maxAges.isEmpty { return schemaMaxAges }
    return schemaMaxAges.isEmpty ? maxAges : schemaMaxAges.merging(maxAges)
  }

  /// The time in seconds since 1970.
  var currentTime: Double { now().timeIntervalSince1970 }
}

extension SchemaMetadata {
  /// Indicates whether the schema or its operations have maximum ages.
  static var hasMaxAges: Bool { !maxAges.isEmpty || _hasMaxAgesInOperations }
}
