public import enum ApolloAPI.JSONValue

/// The numbers that decide what a ``FakeServer`` makes up.
public struct FakeServerOptions: Hashable, Sendable {
  /// The number from which all values follow.
  public var seed: UInt64
  /// The length of a list, and of a page whose length is not requested. Not negative.
  public var listLength: Int { didSet { listLength = max(0, listLength) } }
  /// The length of a list that can be requested in parts, by arguments such as `first` and `limit`.
  /// Not negative.
  public var totalCount: Int { didSet { totalCount = max(0, totalCount) } }
  /// The share of nullable fields that are `null`, from 0 to 1.
  public var nullShare: Double
  /// The values of custom scalars by the name of the scalar. Those without values get a text, or
  /// what their name suggests.
  public var scalarValues: [String: [JSONValue]]
  /// The number of events after which a subscription ends; `nil` for a subscription without an end.
  public var eventCount: Int?
  /// The time before each event of a subscription.
  public var eventInterval: Duration
  /// The number of objects in a response after which lists are empty.
  public var objectLimit: Int

  /// Creates options.
  ///
  /// - Parameters:
  ///   - seed: The number from which all values follow.
  ///   - listLength: The length of a list.
  ///   - totalCount: The length of a list that can be requested in parts.
  ///   - nullShare: The share of nullable fields that are `null`.
  ///   - scalarValues: The values of custom scalars by the name of the scalar.
  ///   - eventCount: The number of events after which a subscription ends.
  ///   - eventInterval: The time before each event of a subscription.
  ///   - objectLimit: The number of objects in a response after which lists are empty.
  public init(
    seed: UInt64 = 1, listLength: Int = 3, totalCount: Int = 100, nullShare: Double = 0,
    scalarValues: [String: [JSONValue]] = [:], eventCount: Int? = 3,
    eventInterval: Duration = .zero, objectLimit: Int = 10_000
  ) {
    self.seed = seed
    self.listLength = max(0, listLength)
    self.totalCount = max(0, totalCount)
    self.nullShare = nullShare
    self.scalarValues = scalarValues
    self.eventCount = eventCount
    self.eventInterval = eventInterval
    self.objectLimit = objectLimit
  }
}
