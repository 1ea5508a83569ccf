import ApolloAPI
import BenchmarkAPI
import Foundation

/// Responses with growing numbers of objects.
let decodingGrowth: [ExperimentMaker] = [
  { _ in
    let counts = [1, 10, 100, 1000, 10_000, 100_000]
    return Growth(
      title: "Growth: decode more and more objects", unit: "object",
      points: try counts.map { count in
        let bytes = friends(count: count)
        guard try decodedFriendCount(bytes) == count else { throw WrongCount() }
        return Growth.Point(count: count) {
          keep(try ResponseDecoder().decode(bytes, as: FriendsQuery()))
        }
      })
  }
]

/// A response to ``FriendsQuery``.
private func friends(count: Int) -> Data {
  let friends = (0..<count).map { number in
    #"{"__typename":"Character","id":"c\#(number)","name":"Friend \#(number)","age":\#(number % 90),"height":1.75,"#
      + #""mass":70.5,"isJedi":false,"homePlanet":null,"species":"HUMAN","createdAt":"2026-01-01T00:00:00Z","score":7}"#
  }
  let list = friends.joined(separator: ",")
  return Data(
    #"{"data":{"hero":{"__typename":"Character","id":"h","name":"Luke","friends":[\#(list)]}}}"#
      .utf8)
}

private func decodedFriendCount(_ bytes: Data) throws -> Int? {
  try ResponseDecoder().decode(bytes, as: FriendsQuery()).data?.hero?.friends.count
}

/// The error for a model that differs from its response.
private struct WrongCount: Error {}
