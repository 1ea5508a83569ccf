import Apollo
import ApolloAPI
import ApolloCache
import BenchmarkAPI
import Foundation

/// A query of 20 objects through the client, from end to end, that the cache can serve.
let cachedFetching: [ExperimentMaker] = [
  { _ in fetchingFromTheCache() }
]

private func fetchingFromTheCache() -> Comparison {
  let body = friendsResponse(friendCount: 19, age: 1)
  let changed = (2...3).map { friendsResponse(friendCount: 19, age: $0) }
  let client = Lazy {
    // Nothing listens on this port, so every response comes from the cache.
    ApolloClient(
      networkTransport: HTTPNetworkTransport(url: URL(string: "http://127.0.0.1:9/")!))  // valid
  }
  var round = 0
  return Comparison(
    title: "A cached query of 20 objects",
    byteCount: body.count,
    baseline: "decode alone",
    workloads: [
      Workload("decode alone") { keep(try ResponseDecoder().decode(body, as: FriendsQuery())) },
      .asynchronous("fetch, nothing has changed") {
        let client = try client.value()
        if round == 0 { _ = try await client.store.publish(body: body, of: FriendsQuery()) }
        round = max(round, 1)
        keep(try await client.fetch(query: FriendsQuery(), cachePolicy: .cacheFirst).data)
      },
      .asynchronous("write it with a change in one object, fetch") {
        let client = try client.value()
        round += 1
        _ = try await client.store.publish(body: changed[round % 2], of: FriendsQuery())
        keep(try await client.fetch(query: FriendsQuery(), cachePolicy: .cacheFirst).data)
      },
    ])
}

/// A response to ``FriendsQuery`` whose last friend has the given age.
private func friendsResponse(friendCount: Int, age: Int) -> Data {
  let friends = (1...friendCount).map { number in
    """
    {"__typename":"Character","id":"c\(number)","name":"Friend \(number)",\
    "age":\(number == friendCount ? age : 30),"height":1.75,"mass":77.5,"isJedi":true,\
    "homePlanet":null,"species":"HUMAN","createdAt":"2026-01-01T00:00:00Z","score":\(number)}
    """
  }
  return Data(
    """
    {"data":{"hero":{"__typename":"Character","id":"c0","name":"Hero","friends":[\
    \(friends.joined(separator: ","))]}}}
    """.utf8)
}
