public import struct Foundation.Date

/// The age of data from the cache, at the time when it was read.
public struct ResponseFreshness: Hashable, Sendable {
  // Times in seconds since 1970: a reading that is remembered makes no dates.
  private let readTime: Double
  private let writeTime: Double?
  private let expiryTime: Double?
  private let renewableExpiryTime: Double?
  /// Indicates whether the data was older than the call wanted it to be: a field had exceeded its
  /// maximum age, by more than the call's `maxStale`, or the call's own `maxAge`.
  public let containsStaleFields: Bool

  /// Creates a description. All times are in seconds since 1970.
  ///
  /// - Parameters:
  ///   - readTime: The time at which the data was read.
  ///   - writeTime: The time at which the oldest field was written, if that is known of all.
  ///   - expiryTime: The time at which the first field expires, if any does. `-infinity` is an
  ///     unknown time in the past.
  ///   - renewableExpiryTime: The same without the fields whose maximum age is zero, or that have
  ///     failed, and with the maximum age of the call for all others.
  ///   - containsStaleFields: Whether the data was older than the call wanted it to be.
  package init(
    readTime: Double, writeTime: Double?, expiryTime: Double?, renewableExpiryTime: Double?,
    containsStaleFields: Bool
  ) {
    self.readTime = readTime
    self.writeTime = writeTime
    self.expiryTime = expiryTime
    self.renewableExpiryTime = renewableExpiryTime
    self.containsStaleFields = containsStaleFields
  }

  /// The time at which the oldest of the fields was written, or `nil` if it is not known of some.
  public var writtenAt: Date? { writeTime.map(Date.init(timeIntervalSince1970:)) }

  /// The time since ``writtenAt``, or `nil` if that is not known.
  public var age: Duration? { writeTime.map { .seconds(max(0, readTime - $0)) } }

  /// The time at which the first of the fields exceeds its maximum age, or `nil` if none has one.
  ///
  /// A field with a maximum age whose time of writing is not known has exceeded it:
  /// `Date.distantPast`.
  public var earliestExpiry: Date? { expiryTime.map(Self.date) }

  /// The first expiry among the fields whose maximum age is not zero. The call's own `maxAge`
  /// counts.
  package var earliestRenewableExpiry: Date? { renewableExpiryTime.map(Self.date) }

  private static func date(_ time: Double) -> Date {
    time == -.infinity ? .distantPast : Date(timeIntervalSince1970: time)
  }
}

extension GraphQLResponse {
  /// Indicates whether the data was older than the call wanted it to be: a field had exceeded its
  /// maximum age, by more than the call's `maxStale`, or the call's own `maxAge`.
  public var containsStaleFields: Bool { result.containsStaleFields }

  /// The same as ``containsStaleFields``.
  public var isStale: Bool { containsStaleFields }

  /// The time since the oldest field of the data was written, when the data was read. `nil` if the
  /// store does not track it; zero for data of the server.
  public var age: Duration? { result.age }

  /// The time at which the first field of the data exceeds its maximum age, or `nil` if none has
  /// one or the store does not track it.
  public var earliestExpiry: Date? { result.earliestExpiry }
}

extension GraphQLResult {
  /// Indicates whether the data was older than the call wanted it to be: a field had exceeded its
  /// maximum age, by more than the call's `maxStale`, or the call's own `maxAge`.
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
