import Foundation
import Testing

@testable import ApolloTransport

struct QueryParametersTests {
  @Test func everyByteSurvivesAFormDecoder() throws {
    let text = String(decoding: Array(0...127), as: UTF8.self) + "é😀\u{2028}"
    let url = try #require(URL(string: "http://host/graphql"))
    let result = try #require(QueryParameters.append([("variables", text)], to: url))
    #expect(decodedForm(result) == [["variables", text]])
  }

  @Test(arguments: [
    ("http://host/graphql", "http://host/graphql?a=1%2B2%3B3&b=%7B%7D"),
    ("http://host/graphql?", "http://host/graphql?a=1%2B2%3B3&b=%7B%7D"),
    ("http://host/graphql?key=x%20y#top", "http://host/graphql?key=x%20y&a=1%2B2%3B3&b=%7B%7D"),
    ("http://[::1]:80/?k", "http://[::1]:80/?k&a=1%2B2%3B3&b=%7B%7D"),
  ])
  func standBehindWhatTheURLHas(_ endpoint: String, _ expected: String) throws {
    let url = try #require(URL(string: endpoint))
    let result = QueryParameters.append([("a", "1+2;3"), ("b", "{}")], to: url)
    #expect(result?.absoluteString == expected)
  }

  /// The pairs that a server reads from `application/x-www-form-urlencoded`.
  private func decodedForm(_ url: URL) -> [[String]] {
    let query = url.absoluteString.split(separator: "?", maxSplits: 1).last ?? ""
    return query.split(separator: "&").map { pair in
      pair.split(separator: "=", maxSplits: 1).map {
        $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? "undecodable"
      }
    }
  }
}
