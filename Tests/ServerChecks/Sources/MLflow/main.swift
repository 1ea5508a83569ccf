import Apollo
import Journey

let journey = Journey()
await journey.step("query") { client in
  let response = try await client.fetch(query: API.ExperimentQuery(), cachePolicy: .networkOnly)
  return response.data?.mlflowGetExperiment?.experiment?.name == "Default"
}
// The server carries out the mutation and returns `null`.
await journey.step("mutate") { client in
  let response = try await client.perform(mutation: API.EchoMutation())
  return response.data != nil && response.errors == nil
}
await journey.step("cached") { client in
  try await client.fetch(query: API.ExperimentQuery(), cachePolicy: .cacheOnly)?.data != nil
}
await journey.step("watch") { client in
  for await result in client.watch(query: API.ExperimentQuery()) {
    return try result.get().data?.mlflowGetExperiment != nil
  }
  return false
}
