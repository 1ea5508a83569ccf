import ApolloTransport
import Foundation
import Testing

@testable import Apollo
@testable import ApolloTransport
@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The order of the routes of one subscription, without routes.
struct RouteSelectionTests {
  /// The failures of three routes, one after the other, and the steps that follow. A failure is
  /// that of the operation (`operation`), a refusal (`refused`) or a temporary one (`lost`), after
  /// an event if it begins with `+`.
  @Test(arguments: [
    ("operation", ["fail"]),
    ("refused refused refused", ["open 1", "open 2", "fail"]),
    ("refused lost refused", ["open 1", "open 2", "wait 1 open 0"]),
    (
      "lost lost lost lost lost lost",
      ["open 1", "open 2", "wait 1 open 0", "open 1", "open 2", "wait 2 open 0"]
    ),
    ("+lost +lost lost", ["wait 1 open 0", "wait 2 open 0", "open 1"]),
    ("refused +lost lost lost", ["open 1", "wait 1 open 1", "open 0", "open 2"]),
    ("+refused refused refused", ["open 1", "open 2", "fail"]),
    ("refused refused +refused refused", ["open 1", "open 2", "open 0", "open 1"]),
    ("+operation", ["fail"]),
  ])
  func triesTheRoutesInRounds(_ failures: String, _ steps: [String]) {
    #expect(Self.steps(after: failures) == steps)
  }

  @Test func beginsWithTheRememberedRouteAndContinuesWithThePreferredOne() {
    #expect(
      Self.steps(after: "lost lost lost lost", first: 2) == [
        "open 0", "open 1", "wait 1 open 0", "open 1",
      ])
  }

  @Test func waitsNoLongerThanTheLimitAndEndsAfterTheLastAttempt() {
    let policy = ReconnectionPolicy(maximumDelay: .seconds(3), maximumAttemptCount: 3)
    #expect(
      Self.steps(after: "+lost +lost +lost +lost", policy: policy) == [
        "wait 1 open 0", "wait 2 open 0", "wait 3 open 0", "fail",
      ])
  }

  @Test func beginsTheWaitsAnewAfterAStableRoute() {
    var selection = Self.selection()
    for _ in 1...3 {
      let step = selection.failed(.temporary, hasDelivered: true, after: .seconds(60))
      #expect(step == .wait(.seconds(1), thenOpen: 0))
    }
  }

  @Test func bringsAThousandSubscriptionsBackSpreadOut() {
    let waits = (1...1_000).map { _ in
      var selection = RouteSelection(
        routeCount: 1, first: 0, reconnection: ReconnectionPolicy(),
        jitter: { Double.random(in: 0...1) })
      guard
        case .wait(let delay, _) = selection.failed(.temporary, hasDelivered: true, after: .zero)
      else { return Duration.zero }
      return delay
    }
    #expect(Set(waits).count > 900)
    #expect(waits.allSatisfy { (.zero ... .seconds(1)).contains($0) })
  }

  // MARK: The meaning of errors

  @Test func decidesAboutTheErrorsOfEachTransport() throws {
    let url = try #require(URL(string: "http://localhost/graphql"))
    let errors: [(any Error, RouteFailure)] = [
      (CancellationError(), .ofOperation),
      (WebSocketError(.rejected), .ofOperation),
      (WebSocketError(.closed), .ofOperation),
      (WebSocketError(.bufferOverflow), .ofOperation),
      (WebSocketError(.refused, statusCode: 426), .refused),
      (WebSocketError(.cannotConnect), .temporary),
      (WebSocketError(.connectionLost), .temporary),
      (ResponseStreamError(.endedByServer, ""), .ofOperation),
      (ResponseStreamError(.partTooLarge, ""), .ofOperation),
      (ResponseStreamError(.truncated, ""), .temporary),
      (ResponseStreamError(.malformedFraming, ""), .refused),
      (NetworkError(.cannotConnect, url: url), .temporary),
      (NetworkError(.timedOut, url: url), .temporary),
      (NetworkError(.insecure, url: url), .refused),
      (NetworkError(.invalidated, url: url), .ofOperation),
      (GraphQLHTTPRequestError.unsupportedURL("x"), .ofOperation),
    ]
    for (error, failure) in errors { #expect(RouteFailure(error) == failure, "\(error)") }
    for (status, failure): (Int, RouteFailure) in [
      (400, .refused), (401, .refused), (406, .refused), (408, .temporary), (429, .temporary),
      (502, .temporary),
    ] {
      let head = try #require(
        HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
      let error = GraphQLHTTPResponseError(.errorResponse, head: head, body: Data(), url: url)
      #expect(RouteFailure(error) == failure, "\(status)")
    }
  }

  // MARK: Support

  private static func selection(
    first: Int = 0, policy: ReconnectionPolicy = ReconnectionPolicy()
  ) -> RouteSelection {
    RouteSelection(routeCount: 3, first: first, reconnection: policy, jitter: { 1 })
  }

  private static func steps(
    after failures: String, first: Int = 0, policy: ReconnectionPolicy = ReconnectionPolicy()
  ) -> [String] {
    var selection = selection(first: first, policy: policy)
    return failures.split(separator: " ").map { word in
      let failure: RouteFailure =
        word.hasSuffix("lost") ? .temporary : word.hasSuffix("refused") ? .refused : .ofOperation
      switch selection.failed(failure, hasDelivered: word.hasPrefix("+"), after: .zero) {
      case .open(let index): return "open \(index)"
      case .wait(let delay, let index): return "wait \(delay.components.seconds) open \(index)"
      case .fail: return "fail"
      }
    }
  }
}
