public import ApolloAPI

/// The number of misses after which a reading stops.
package let maximumMissCount = 64

/// The data of an operation as far as it is in the cache.
///
/// ```swift
/// let reading = try await store.load(HeroQuery())
/// if let data = reading.data {
///   show(data)
/// } else {
///   for miss in reading.misses { print(miss) }
/// }
/// ```
public struct CacheReading<Data: Sendable>: Sendable {
  /// The data, or `nil` if something of it is missing.
  public var data: Data?
  /// The missing values, in the order of the selection. Empty if ``data`` is complete.
  ///
  /// At most ``maximumMissCount`` are listed.
  public var misses: [CacheMiss]
  /// The errors of fields that failed on the server, if the reading serves such fields as `null`.
  public var errors: [GraphQLError]
  /// The dependencies of the reading, for ``StoreWatch/depend(on:)``.
  public var trace: ReadingTrace

  /// The number of misses after which a reading stops.
  public static var maximumMissCount: Int { ApolloCache.maximumMissCount }

  package init(data: Data?, misses: [CacheMiss], errors: [GraphQLError], trace: ReadingTrace) {
    self.data = data
    self.misses = misses
    self.errors = errors
    self.trace = trace
  }
}

extension CacheReading where Data: RootSelectionSet {
  /// Creates the reading of a selection with its data as a model.
  package init(_ result: ObjectReadResult, generation: Generation) {
    self.init(
      data: result.object.map(Data.init(__object:)), misses: result.misses, errors: result.errors,
      trace: ReadingTrace(dependencies: result.dependencies, generation: generation))
  }

  /// Returns the data.
  ///
  /// - Throws: The first ``CacheMiss``, if something is missing.
  package func get() throws -> Data {
    if let data { return data }
    throw misses[0]  // without data, something is missing
  }
}

/// A value that a reading needs and the cache does not have.
public struct CacheMiss: Error, Hashable, Sendable {
  /// The position in the response.
  public var path: [PathEntry]
  /// The position in the cache.
  public var address: FieldAddress
  /// The reason for the miss.
  public var reason: Reason

  /// The reasons for a miss.
  public enum Reason: Hashable, Sendable {
    /// The record does not exist.
    case noRecord
    /// The record does not have the field.
    case noField
    /// The field failed on the server with this error.
    case failed(message: String)
    /// The field is `null`, but the operation expects a value.
    case unexpectedNull
    /// The field holds another kind of value than the operation expects, such as a string in place
    /// of a list.
    case mismatch
  }

  package init(path: [PathEntry], address: FieldAddress, reason: Reason) {
    self.path = path
    self.address = address
    self.reason = reason
  }
}

extension CacheMiss: CustomStringConvertible {
  /// The miss as one sentence.
  public var description: String {
    let subject = path.isEmpty ? "The response" : "'\(path.dotted)'"
    return switch reason {
    case .noRecord: "\(subject) is not in the cache: there is no record '\(address.record)'."
    case .noField:
      "\(subject) is not in the cache: "
        + "the record '\(address.record)' has no field '\(address.field)'."
    case .failed(let message): "\(subject) could not be answered when it was fetched: \(message)"
    case .unexpectedNull: "\(subject) is null in the cache (\(address)), and must not be."
    case .mismatch:
      "\(subject) is of another kind in the cache (\(address)) than the operation expects."
    }
  }
}
