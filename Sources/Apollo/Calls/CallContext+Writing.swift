import ApolloAPI
import ApolloCache
import ApolloTransport

/// Writes a response at the end of a call, and returns it as it is then if its caller must know.
typealias PostponedWrite<Operation: GraphQLOperation> =
  @Sendable () async throws -> GraphQLResponse<Operation>?

extension CallContext {
  /// Writes the records of a response to the cache.
  ///
  /// - Returns: The response. If newer data in the cache has overtaken some of it, it has the data
  ///   of the cache.
  func write<Operation: GraphQLOperation>(
    _ records: ReceivedRecords, of exchange: ServerExchange?,
    for request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) async throws -> GraphQLResponse<Operation> {
    var response = response
    let start = clientGeneration
    var trace = try await writeToCache(records, for: request)
    if !trace.isUnwritten {
      reportUnknownLists(of: records.records, for: request)
      if !request.isWhole, Operation.partsContent == .response { exchange?.note(records.records) }
      if trace.standing == .overtaken {
        trace = try await update(&response, overtakenAt: trace, for: request)
      }
    }
    let clientTrace = clientTrace(trace, since: start)
    request.traceRecorder?.record(.trace(clientTrace))
    response.result.dependencies = clientTrace
    // A part is read again with the rest.
    if response.freshness == nil, request.facts.completion == nil {
      response.result.freshness = freshness(of: request, trace, records.records)
    }
    return response
  }

  /// Keeps a response out of the cache if its lists may lack elements.
  ///
  /// - Returns: `nil` if the response is whole. Otherwise the response, for a watch that shows data
  ///   ahead of the cache, and what writes it at the end if no other one comes: nothing if one of
  ///   its lists has failed.
  func postpone<Operation: GraphQLOperation>(
    _ records: ReceivedRecords, of exchange: ServerExchange?,
    for request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) -> (response: GraphQLResponse<Operation>, write: PostponedWrite<Operation>?)? {
    guard records.lists != .whole else { return nil }
    let start = clientGeneration
    let trace = clientTrace(store.trace(ofUnwritten: records.records), since: start)
    request.traceRecorder?.record(.trace(trace))
    var short = response
    short.result.dependencies = trace
    guard records.lists == .open else {
      // No later write gives it an age.
      short.result.freshness = freshness(of: request, trace, records.records)
      return (short, nil)
    }
    return (
      short,
      {
        let written = try await write(records, of: exchange, for: request, response)
        return request.traceRecorder != nil || written != response ? written : nil
      }
    )
  }

  /// Replaces the data of a response by that of the cache, which is newer in part.
  ///
  /// - Returns: The trace of the data, or of what the cache lacks: it is `overtaken` then.
  private func update<Operation: GraphQLOperation>(
    _ response: inout GraphQLResponse<Operation>, overtakenAt trace: ReadingTrace,
    for request: GraphQLRequest<Operation>
  ) async throws -> ReadingTrace {
    guard Operation.operationType == .query, response.data != nil else { return trace }
    let demand = FreshnessDemand(
      .permissive, maxAge: request.configuration.maxAge, maxStale: request.configuration.maxStale)
    let reading: CacheReading<Operation.Data>
    do {
      reading = try await store.load(
        request.operation, servesFailures: response.errors != nil,
        readsPagesAlone: request.configuration.readsPagesAlone, demanding: demand)
    } catch let error where !(error is CancellationError) {
      store.report(error)
      return trace
    }
    guard let data = reading.data else {
      var trace = reading.trace
      trace.standing = .overtaken
      return trace
    }
    response.replaceData(by: data, of: reading)
    return reading.trace
  }

  /// Writes a response to the cache. An error of the cache is reported, but does not fail the call.
  private func writeToCache<Operation: GraphQLOperation>(
    _ received: ReceivedRecords, for request: GraphQLRequest<Operation>
  ) async throws -> ReadingTrace {
    let start = request.facts.events?.now
    let (records, update) = (received.records, received.update)
    let (origin, position) = (request.origin, position(of: request))
    try request.facts.session?.check()
    do {
      var trace: ReadingTrace?
      if let deadline = request.facts.deadline {
        trace = try await store.publishAtOnce(
          records, origin: origin, at: position, update: update)
        if trace == nil {
          // The writer before this one may be a transaction that does not end.
          trace = try await deadline.limit(url: transport.endpointURL) {
            try await store.publish(records, origin: origin, at: position, update: update)
          }
        }
      }
      let written =
        if let trace {
          trace
        } else {
          try await store.publish(records, origin: origin, at: position, update: update)
        }
      if let events = request.facts.events, let start {
        events.record(.cacheWritten(duration: events.now - start))
      }
      return written
    } catch let error where !(error is CancellationError || error is StoreError) {
      // The error of the deadline. A cache in memory has none of its own.
      if request.facts.deadline != nil, error is NetworkError { throw error }
      store.report(error)
      return store.trace(ofUnwritten: records)
    }
  }

  /// Reports the lists that a response was to change in vain, if anything observes the call.
  private func reportUnknownLists<Operation: GraphQLOperation>(
    of response: NormalizedResponse, for request: GraphQLRequest<Operation>
  ) {
    guard let events = request.facts.events, !response.listChanges.isEmpty else { return }
    do {
      let lists = try store.unknownLists(of: response, Operation.Data.Schema.self)
      guard !lists.isEmpty else { return }
      events.record(.unknownLists(lists.map(CallEvent.UnknownList.init)))
    } catch {
      store.report(error)
    }
  }

  /// Returns the age of a response, or `nil` if the store does not track it.
  private func freshness<Operation: GraphQLOperation>(
    of request: GraphQLRequest<Operation>, _ trace: ReadingTrace, _ records: NormalizedResponse
  ) -> ResponseFreshness? {
    let (operation, demand) = (request.operation, request.freshnessDemand)
    return trace.isUnwritten || trace.standing == .excluded
      ? store.freshness(ofUnwritten: records, to: operation, trace, demand)
      : store.freshness(of: operation, trace, except: records.failedFields, demand)
  }
}

extension CallEvent.UnknownList {
  fileprivate init(_ list: UnknownList) {
    let reason: Reason =
      switch list.reason {
      case .noIdentifier: .noIdentifier
      case .notFetched: .notFetched
      case .noConnection: .noConnection
      case .otherArguments(let names): .otherArguments(names)
      }
    self.init(name: list.name, reason: reason)
  }
}
