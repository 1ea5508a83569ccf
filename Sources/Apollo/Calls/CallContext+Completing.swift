import ApolloAPI
import ApolloCache
import ApolloTransport
import Foundation

extension CallContext {
  /// Returns the query for what the cache does not have of an operation, or `nil` if the operation
  /// is to be sent as a whole.
  ///
  /// - Throws: `GraphQLHTTPRequestError` if the operation was generated without its text.
  func completion<Operation: GraphQLOperation>(
    of request: GraphQLRequest<Operation>
  ) async throws -> CompletionQuery? {
    let configuration = request.configuration
    // A response in parts would be read again and again.
    guard configuration.fetchesMissingFields, configuration.writeResultsToCache,
      Operation.operationType == .query, Operation.partsContent == nil, request.files.isEmpty
    else { return nil }
    guard Operation.operationDocument.definition != nil else {
      throw GraphQLHTTPRequestError.unregisteredPart(operationName: Operation.operationName)
    }
    do {
      let missing = try await store.missingParts(
        of: request.operation, servesFailures: configuration.servesCachedErrors,
        readsPagesAlone: configuration.readsPagesAlone, demanding: request.freshnessDemand)
      if let lookedUp = missing.lookedUp, !configuration.fetchesMissingFieldsFromRoot,
        let query = Operation.completion(of: lookedUp.parts, identifiers: lookedUp.identifiers)
      {
        return query
      }
      return missing.root.flatMap { Operation.completion(of: $0) }
    } catch let error where !(error is CancellationError) {
      store.report(error)
      return nil
    }
  }

  /// Returns the response to an operation after the part that the cache did not have was written,
  /// or `nil` if the cache still does not have everything.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - completion: The response to the part.
  ///   - names: The response keys of the objects that the part looks up.
  ///   - start: The time at which the part was sent. What was fetched since is fresh, however short
  ///     its maximum age is.
  /// - Returns: The response, as if the server had sent all of it.
  /// - Throws: `CancellationError`.
  func completed<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, by completion: GraphQLResponse<Operation>,
    lookingUp names: [String], sentAt start: Date
  ) async throws -> GraphQLResponse<Operation>? {
    let configuration = request.configuration
    var demand = request.freshnessDemand
    // A thousandth of a second more, because a field that has just been written may have expired.
    let elapsed = max(store.freshness.now().timeIntervalSince(start), 0) + 0.001
    demand.maxStale += .seconds(elapsed)
    if let maxAge = demand.maxAge { demand.maxAge = maxAge + .seconds(elapsed) }
    let reading: CacheReading<Operation.Data>
    do {
      reading = try await store.load(
        request.operation,
        servesFailures: configuration.servesCachedErrors || completion.errors != nil,
        readsPagesAlone: configuration.readsPagesAlone, demanding: demand)
    } catch let error where !(error is CancellationError) {
      store.report(error)
      return nil
    }
    guard var response = GraphQLResponse<Operation>(reading) else { return nil }
    request.traceRecorder?.record(.trace(reading.trace))
    response.source = .server
    response.http = completion.http
    response.extensions = completion.extensions
    // The errors as the server has worded them, then those of the other fields. The cache knows
    // the places at which the query has the objects that were looked up.
    let lookups = Set(names.map(PathEntry.field))
    let sent = (completion.errors ?? []).filter { error in
      error.path?.first.map { !lookups.contains($0) } ?? true
    }
    let errors = ReportedErrors(sent).joined(with: response.errors ?? [])
    response.errors = errors.isEmpty ? nil : errors
    return response
  }
}
