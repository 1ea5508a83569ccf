public import struct Foundation.Date

/// The age of data from the cache, at the time when it was read.
public struct ResponseFreshness: Hashable, Sendable {
  /// The time at which the oldest of the fields was written, or `nil` if it is not known of some.
  public let writtenAt: Date?
  /// The time since ``writtenAt``, or `nil` if that is not known.
  public let age: Duration?
  /// The time at which the first of the fields exceeds its maximum age, or `nil` if none has one.
  ///
  /// A field with a maximum age whose time of writing is not known has exceeded it:
  /// `Date.distantPast`.
  public let earliestExpiry: Date?
  /// The same without the fields that are always stale, because their maximum age is zero.
  package let earliestRenewableExpiry: Date?
  /// Indicates whether the data was older than the call wanted it to be: a field had exceeded its
  /// maximum age, by more than the call's `maxStale`, or the call's own `maxAge`.
  public let containsStaleFields: Bool

  package init(
    writtenAt: Date?, age: Duration?, earliestExpiry: Date?, earliestRenewableExpiry: Date?,
    containsStaleFields: Bool
  ) {
    self.writtenAt = writtenAt
    self.age = age
    self.earliestExpiry = earliestExpiry
    self.earliestRenewableExpiry = earliestRenewableExpiry
    self.containsStaleFields = containsStaleFields
  }
}

extension GraphQLResponse {
  /// Indicates whether the data is from the cache and older than the call wanted it to be: a field
  /// had exceeded its maximum age, by more than the call's `maxStale`, or the call's own `maxAge`.
  public var containsStaleFields: Bool { freshness?.containsStaleFields ?? false }

  /// The same as ``containsStaleFields``.
  public var isStale: Bool { containsStaleFields }

  /// The time since the oldest field of the data was written, when the data was read. `nil` if the
  /// store does not track it; zero for data of the server.
  public var age: Duration? { source == .server ? .zero : freshness?.age }

  /// The time at which the first field of the data exceeds its maximum age, or `nil` if none has
  /// one or the store does not track it.
  public var earliestExpiry: Date? { freshness?.earliestExpiry }
}

extension GraphQLResult {
  /// Indicates whether the data is from the cache and a field of it had exceeded its maximum age.
  public var containsStaleFields: Bool { freshness?.containsStaleFields ?? false }

  /// The same as ``containsStaleFields``.
  public var isStale: Bool { containsStaleFields }

  /// The time since the oldest field of the data was written, when the data was read. `nil` if the
  /// store does not track it; zero for data of the server.
  public var age: Duration? { source == .server ? .zero : freshness?.age }

  /// The time at which the first field of the data exceeds its maximum age, or `nil` if none has
  /// one or the store does not track it.
  public var earliestExpiry: Date? { freshness?.earliestExpiry }
}
