import ApolloAPI
import ApolloCache
import ApolloTransport

extension CallContext {
  /// Decodes a response. Returns its records as well, if there are any for the cache.
  ///
  /// - Throws: `ResponseError`.
  func decode<Operation: GraphQLOperation>(
    _ networkResponse: NetworkResponse, of exchange: ServerExchange?,
    for request: GraphQLRequest<Operation>
  ) throws -> (GraphQLResponse<Operation>, ReceivedRecords?) {
    let events = request.facts.events
    events?.record(.received(byteCount: networkResponse.body.count))
    let start = events?.now
    let writesToCache = request.configuration.writeResultsToCache
    let part = request.facts.completion?.layout
    let normalizer = writesToCache ? store.normalizer(for: request.operation, part: part) : nil
    var response: GraphQLResponse<Operation>
    do throws(ResponseError) {
      if let part {
        response = try ResponseDecoder().decode(
          networkResponse.body, as: part, of: request.operation, observer: normalizer)
      } else {
        response = try ResponseDecoder().decode(
          networkResponse.body, as: request.operation, observer: normalizer)
      }
    } catch {
      throw error.from(networkResponse)
    }
    response.http = networkResponse.http
    if let events, let start {
      events.record(
        .decoded(errorCount: response.errors?.count ?? 0, duration: events.now - start))
    }
    // With '@throwOnFieldError', a response without data can have data for the cache.
    guard let normalizer, response.data != nil || normalizer.hasData else {
      return (response, nil)
    }
    var records = normalizer.finish()
    records.sent = networkResponse.sent ?? exchange?.sent
    records.earlierPart = exchange?.latestPart
    records.receipt?.maxAge = store.freshness.serverMaxAge(of: networkResponse)
    let update = request.update.map { update -> OptimisticUpdate in
      { [response] in try update($0, response) }
    }
    return (
      response,
      ReceivedRecords(
        records: records, update: update,
        lists: Operation.mayStreamLists ? networkResponse.lists : .whole)
    )
  }
}

/// The records of a response, and the changes that the program makes because of it.
///
/// A class, because records take more memory than the call that carries them, which may live long.
final class ReceivedRecords: Sendable {
  let records: NormalizedResponse
  let update: OptimisticUpdate?
  let lists: Lists

  /// The state of the lists that arrive in parts.
  enum Lists {
    case whole
    /// One of them may be short, because its other elements arrive in further parts.
    case open
    /// One of them has failed, and stays short.
    case failed
  }

  init(records: NormalizedResponse, update: OptimisticUpdate?, lists: Lists) {
    self.records = records
    self.update = update
    self.lists = lists
  }
}

extension NetworkResponse {
  fileprivate var lists: ReceivedRecords.Lists {
    lacksElements ? .failed : isPartial ? .open : .whole
  }
}

extension CacheFreshness {
  /// Returns the maximum age that the server gives the data of a response, or `nil` if it does not
  /// say or these settings ignore it.
  fileprivate func serverMaxAge(of response: NetworkResponse) -> Duration? {
    guard usesServerMaxAge || honorsNoStore, let headers = response.http?.headers else {
      return nil
    }
    let maxAge = ServerMaxAge(headers, now: now())
    if honorsNoStore, maxAge.forbidsReuse { return .zero }
    return usesServerMaxAge ? maxAge.duration : nil
  }
}

extension ResponseError {
  /// The same error, with the facts about the response in which it was found.
  fileprivate func from(_ response: NetworkResponse) -> ResponseError {
    var error = self
    error.source = response.source
    return error
  }
}
