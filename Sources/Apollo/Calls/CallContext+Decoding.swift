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
    var part = request.facts.completion
    var decoded: Decoded<Operation>
    do throws(ResponseError) {
      decoded = try decode(networkResponse, as: part, of: request)
    } catch {
      guard part?.names.isEmpty == false else { throw error.from(networkResponse) }
      // A transport that knows nothing of parts has sent the whole operation, without the fields
      // that look objects up.
      part = nil
      do throws(ResponseError) {
        decoded = try decode(networkResponse, as: nil, of: request)
      } catch {
        throw error.from(networkResponse)
      }
    }
    var (response, normalizer) = decoded
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
    if part?.names.isEmpty == false { records.removeLookups() }
    records.sent = networkResponse.sent(in: exchange)
    records.attempt = networkResponse.attempt
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

  private typealias Decoded<Operation: GraphQLOperation> = (
    response: GraphQLResponse<Operation>, normalizer: ResponseNormalizer?
  )

  /// Decodes a response to the part of an operation, or to all of it.
  private func decode<Operation: GraphQLOperation>(
    _ networkResponse: NetworkResponse, as part: CompletionQuery?,
    of request: GraphQLRequest<Operation>
  ) throws(ResponseError) -> Decoded<Operation> {
    let (operation, layout) = (request.operation, part?.layout)
    let normalizer =
      request.configuration.writeResultsToCache
      ? store.normalizer(for: operation, part: layout) : nil
    let (body, decoder) = (networkResponse.body, ResponseDecoder())
    guard let layout else {
      return (try decoder.decode(body, as: operation, observer: normalizer), normalizer)
    }
    return (try decoder.decode(body, as: layout, of: operation, observer: normalizer), normalizer)
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
  /// The request that it responds to. A transport of the program may give the response of a client
  /// with another cache, whose order says nothing about this one.
  fileprivate func sent(in exchange: ServerExchange?) -> SentRequest? {
    guard let own = exchange?.sent else { return sent }
    return sent?.order == own.order ? sent : own
  }

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
