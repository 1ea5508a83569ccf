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
    guard let response = try await rest.next(of: call) else {
      return try await writePostponed(call)
    }
    call.postponedWrite = nil  // this response takes the place of the one before, even without data
    guard let (records, exchange) = call.received else { return response }
    call.received = nil
    let (context, request) = (call.context, call.request)
    if let short = context.postpone(records, of: exchange, for: request, response) {
      call.postponedWrite = short.write
      return short.response
    }
    return try await context.write(records, of: exchange, for: request, response)
  }

  /// Writes the latest response if the server has ended without another one: its last part may only
  /// say that it is the last one.
  ///
  /// - Returns: The response, if its caller must know of it. It is the last one.
  private func writePostponed<Operation: GraphQLOperation>(
    _ call: Call<Operation>
  ) async throws -> GraphQLResponse<Operation>? {
    guard !call.isWaiting, let write = call.postponedWrite else { return nil }
    call.postponedWrite = nil
    guard let written = try await write() else { return nil }
    call.source = .none
    return written
  }
}
