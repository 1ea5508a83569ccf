import Apollo
import Journey

let journey = Journey()
await journey.step("query") { client in
  let response = try await client.fetch(query: API.RepositoriesQuery(), cachePolicy: .networkOnly)
  let repositories = response.data?.repositoriesOrError.asRepositoryConnection?.nodes
  return repositories?.first?.jobs.map(\.name) == ["greet"]
}
await journey.step("mutate") { client in
  try await client.perform(mutation: API.SetNuxSeenMutation()).errors == nil
}
await journey.step("cached") { client in
  try await client.fetch(query: API.RepositoriesQuery(), cachePolicy: .cacheOnly)?.data?.version
    != nil
}
await journey.step("watch") { client in
  for await result in client.watch(query: API.RepositoriesQuery()) {
    return try result.get().data?.version != nil
  }
  return false
}
await journey.step("subscribe") { client in
  for try await event in client.subscribe(subscription: API.RunLogsSubscription()) {
    return event.data?.pipelineRunLogs.asPipelineRunLogsSubscriptionFailure?.message != nil
  }
  return false
}
