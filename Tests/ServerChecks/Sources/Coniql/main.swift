import Apollo
import Journey

let journey = Journey()
await journey.step("query") { client in
  let response = try await client.fetch(query: API.ChannelQuery(), cachePolicy: .networkOnly)
  return response.data?.getChannel.value?.float != nil && response.errors == nil
}
await journey.step("cached") { client in
  try await client.fetch(query: API.ChannelQuery(), cachePolicy: .cacheOnly)?.data != nil
}
await journey.step("watch") { client in
  for await result in client.watch(query: API.ChannelQuery()) {
    return try result.get().data?.getChannel.value != nil
  }
  return false
}
await journey.step("subscribe") { client in
  var count = 0
  for try await event in client.subscribe(subscription: API.ChannelChangedSubscription()) {
    guard event.errors == nil else { return false }
    count += 1
    if count == 3 { return true }
  }
  return false
}
