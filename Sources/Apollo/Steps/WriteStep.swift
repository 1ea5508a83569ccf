import ApolloAPI

/// Writes each response to the cache, unless the request excludes that. The data is in the cache
/// when the response is delivered.
///
/// A response whose lists may lack elements is written at the end, if that comes without an error:
/// a list in the cache counts as whole. Therefore a response with a list that has failed is not
/// written. A watch receives it again then, because its data is in the
/// cache from now on. So does every caller for whom the cache has newer data.
struct WriteStep: CallStep {
  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    // A reader may take its time before it asks for the end.
    defer { call.endExchangeOfOneResponse() }
    guard var response = try await rest.next(of: call) else {
      return try await writeShort(call)
    }
    guard let (records, exchange) = call.received else { return response }
    call.received = nil
    call.short = nil
    guard records.lists == .whole else {
      if records.lists == .open { call.short = Call.ShortResponse(records, exchange, response) }
      // A watch shows data that is ahead of the cache.
      let trace = call.context.store.trace(ofUnwritten: records.records)
      call.request.traceRecorder?.record(.trace(trace))
      response.dependencies = trace
      return response
    }
    return try await call.context.write(records, of: exchange, for: call.request, response)
  }

  /// Writes the latest response if the server has ended without another one: its last part may only
  /// say that it is the last one.
  ///
  /// - Returns: The response, if its caller must know of it. It is the last one.
  private func writeShort<Operation: GraphQLOperation>(
    _ call: Call<Operation>
  ) async throws -> GraphQLResponse<Operation>? {
    guard !call.isWaiting, let short = call.short else { return nil }
    call.short = nil
    let written = try await call.context.write(
      short.records, of: short.exchange, for: call.request, short.response)
    guard call.request.traceRecorder != nil || written != short.response else { return nil }
    call.source = .none
    return written
  }
}
