import Apollo
import Journey

let journey = Journey()
await journey.step("query") { client in
  let response = try await client.fetch(query: API.HeroesQuery(), cachePolicy: .networkOnly)
  return response.data?.heroes?.nodes?.map { $0?.name } == ["R2-D2", "Luke"]
}
await journey.step("cached") { client in
  try await client.fetch(query: API.HeroesQuery(), cachePolicy: .cacheOnly)?.data?.heroes?
    .totalCount == 2
}
await journey.step("watch") { client in
  for await result in client.watch(query: API.HeroesQuery()) {
    return try result.get().data?.heroes?.totalCount == 2
  }
  return false
}
