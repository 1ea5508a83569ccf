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
  /// The data, or `nil` if something of it is missing, or everything if the reading keeps partial
  /// data.
  public var data: Data?
  /// The missing values, in the order of the selection. Empty if ``data`` is complete.
  ///
  /// At most ``maximumMissCount`` are listed.
  public var misses: [CacheMiss]
  /// The errors of fields that failed on the server, if the reading serves such fields as `null`.
  public var errors: [GraphQLError]
  /// The dependencies of the reading, for ``StoreWatch/depend(on:)``.
  public var trace: ReadingTrace

  /// The reason for which the operation has no data, although the cache has all of it, or `nil`.
  package private(set) var end: MissingDataReason?

  /// The age of the data, or `nil` if the store does not track it.
  public internal(set) var freshness: ResponseFreshness?

  /// The number of misses after which a reading stops.
  public static var maximumMissCount: Int { ApolloCache.maximumMissCount }

  package init(data: Data?, misses: [CacheMiss], errors: [GraphQLError], trace: ReadingTrace) {
    self.data = data
    self.misses = misses
    self.errors = errors
    self.trace = trace
  }
}

/// The reason for which an operation has no data (`@throwOnFieldError`, `@required`).
package enum MissingDataReason: Sendable {
  /// An error of the server.
  case error
  /// A null that no error explains.
  case null
}

extension CacheReading where Data: RootSelectionSet {
  /// Creates the reading of a selection with its data as a model.
  package init(_ result: ObjectReadResult, generation: Generation, version: UInt64? = nil) {
    // Properties report errors of fields, wherever these come from.
    var object = result.objectWithErrors
    var misses = Array(result.misses.prefix(ApolloCache.maximumMissCount))
    var errors: [GraphQLError]? = result.errors
    var end: MissingDataReason?
    if Data.__layout.throwsOnFieldErrors, !misses.isEmpty {
      object = nil  // its properties promise what is missing
    } else if let read = object {
      do throws(GraphQLError) {
        object = try read.containingFieldErrors(in: Data.__layout, &errors)
      } catch {
        object = nil
        // What partial data lacks is the reason itself.
        if misses.isEmpty {
          // The error of a null that no other one explains is added to them.
          end = errors?.count == result.errors.count ? .error : .null
          misses = [CacheMiss(end == .error ? .failed : .unexpectedNull, because: error)]
        }
      }
    }
    self.init(
      data: object.map(Data.init(__object:)), misses: misses,
      errors: object == nil ? result.errors : errors ?? [],
      trace: ReadingTrace(
        dependencies: result.dependencies, generation: generation, version: version))
    self.end = end
  }

  /// Returns the data.
  ///
  /// - Throws: The first ``CacheMiss``, if something is missing.
  package func get() throws -> Data {
    if let data { return data }
    throw misses[0]  // without data, something is missing
  }
}

extension ObjectReadResult {
  /// The root object, whose fields have their errors: those of the server, and for what partial
  /// data lacks, the reason.
  fileprivate var objectWithErrors: ResponseObject? {
    guard let object, !errors.isEmpty || !misses.isEmpty else { return object }
    let reasons = misses.map { GraphQLError(message: $0.description, path: $0.path) }
    return object.attaching(errors + reasons)
  }
}

extension CacheMiss {
  /// Creates the miss of an operation that an error of a field ends.
  fileprivate init(_ code: Code, because error: GraphQLError) {
    let path = error.path ?? []
    let field = path.first.map { FieldKey($0.description) } ?? .typename
    self.init(
      code, path: path, address: FieldAddress(record: .queryRoot, field: field),
      serverMessage: error.message)
  }
}
