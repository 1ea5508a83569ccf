import Apollo
import Journey

let journey = Journey()
await journey.step("query") { client in
  let response = try await client.fetch(query: API.HeroQuery(), cachePolicy: .networkOnly)
  return response.data?.hero?.name == "R2-D2" && response.errors == nil
}
await journey.step("mutate") { client in
  let response = try await client.perform(mutation: API.RenameMutation(id: "2", name: "Luke"))
  return response.data?.rename?.name == "Luke" && response.errors == nil
}
await journey.step("cached") { client in
  try await client.fetch(query: API.HeroQuery(), cachePolicy: .cacheOnly)?.data?.hero?.name
    == "R2-D2"
}
await journey.step("watch") { client in
  for await result in client.watch(query: API.HeroQuery()) {
    switch try result.get().data?.hero?.name {
    case "R2-D2": _ = try await client.perform(mutation: API.RenameMutation(id: "1", name: "Leia"))
    case let name: return name == "Leia"
    }
  }
  return false
}
#if SUBSCRIPTIONS
  await journey.step("subscribe") { client in
    for try await event in client.subscribe(subscription: API.HeroChangedSubscription()) {
      switch event.data?.heroChanged?.name {
      case "subscribed":
        _ = try await client.perform(mutation: API.RenameMutation(id: "1", name: "Han"))
      case let name: return name == "Han"
      }
    }
    return false
  }
#endif
