import ApolloAPI

/// Delivers nothing to a call whose session has ended.
struct SessionStep: CallStep {
  func takesPart<Operation: GraphQLOperation>(in call: Call<Operation>) -> Bool {
    call.request.facts.session != nil
  }

  func next<Operation: GraphQLOperation>(
    of call: Call<Operation>, from rest: CallSteps
  ) async throws -> GraphQLResponse<Operation>? {
    let response = try await rest.next(of: call)
    // A query or mutation whose last response was delivered has ended, and cannot fail.
    if response != nil || Operation.operationType == .subscription {
      try call.request.facts.session?.check()
    }
    return response
  }
}
