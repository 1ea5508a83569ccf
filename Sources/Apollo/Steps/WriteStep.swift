import ApolloAPI

/// Writes each response to the cache, unless the request excludes that. The data is in the cache
/// when the response is delivered.
struct WriteStep: CallStep {
  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    // A reader may take its time before it asks for the end.
    defer { call.endExchangeOfOneResponse() }
    guard let response = try await rest.next(of: call) else { return nil }
    guard let (records, exchange) = call.received else { return response }
    call.received = nil
    return try await call.context.write(records, of: exchange, for: call.request, response)
  }
}
