public import ApolloAPI

/// The number of misses after which a reading stops.
package let maximumMissCount = 64

/// What a store has for an operation, a fragment or an object.
public struct CacheReading<Data: Sendable>: Sendable {
  /// The data, or nil if something of it is missing.
  public var data: Data?
  /// What is missing, in the order of the selection; empty if ``data`` is there.
  ///
  /// At most ``maximumMissCount`` are told.
  public var misses: [CacheMiss]
  /// The errors of fields that the server could not answer, if the reading was asked to serve such
  /// fields as null.
  public var errors: [GraphQLError]
  /// What was read, or looked for in vain, and when: what to watch.
  public var trace: ReadingTrace

  /// How many misses a reading tells before it gives up.
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

  /// The data.
  /// - Throws: the first ``CacheMiss`` if there is none.
  package func get() throws -> Data {
    if let data { return data }
    throw misses[0]  // without data, something is missing
  }
}

/// Something that a reading needed and the cache did not have.
public struct CacheMiss: Error, Hashable, Sendable {
  /// Where in the response.
  public var path: [PathEntry]
  /// Where in the cache.
  public var address: FieldAddress
  /// Why it could not be read.
  public var reason: Reason

  /// Why a value could not be read.
  public enum Reason: Hashable, Sendable {
    /// There is no such record.
    case noRecord
    /// The record does not have the field.
    case noField
    /// The server answered null because of this error.
    case failed(message: String)
    /// The field is null where the operation expects a value.
    case unexpectedNull
    /// The field holds something that the operation does not expect, such as a string for a list.
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
