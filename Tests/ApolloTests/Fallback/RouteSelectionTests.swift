import ApolloAPI
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
    ("+refused +refused +refused", ["open 1", "wait 1 open 0", "wait 2 open 1"]),
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
    _ = selection.begin()
    for _ in 1...3 {
      selection.opened(0)
      let step = selection.failed(0, .temporary, hasDelivered: true, after: .seconds(30))
      #expect(step == .wait(.seconds(1)))
      #expect(selection.waited() == .open(0))
    }
  }

  // MARK: Routes that stay open

  @Test func triesOtherRoutesBesideALateOne() {
    var selection = Self.selection()
    #expect(selection.begin() == .open(0))
    #expect(selection.becameLate(0, after: .zero) == .open(1))
    #expect(selection.becameLate(1, after: .zero) == .open(2))
    #expect(selection.becameLate(2, after: .zero) == nil, "all of them are waited for")
    #expect(selection.failed(1, .refused, hasDelivered: false, after: .zero) == nil)
    #expect(selection.failed(2, .refused, hasDelivered: false, after: .zero) == nil)
    #expect(selection.failed(0, .refused, hasDelivered: false, after: .zero) == .fail)
  }

  @Test func triesFailedRoutesAgainBesideALateOne() {
    var selection = Self.selection()
    #expect(selection.begin() == .open(0))
    #expect(selection.becameLate(0, after: .zero) == .open(1))
    #expect(selection.failed(1, .refused, hasDelivered: false, after: .zero) == .open(2))
    #expect(
      selection.failed(2, .temporary, hasDelivered: false, after: .zero) == .wait(.seconds(1)))
    #expect(selection.waited() == .open(2), "neither the late one nor the refused one")
    #expect(
      selection.failed(2, .temporary, hasDelivered: false, after: .zero) == .wait(.seconds(2)))
    selection.opened(0)
    #expect(selection.waited() == nil)
    #expect(selection.states == [.open, .refused, .failed])
  }

  @Test func doesNotAlternateBetweenRoutesThatOpenAndDie() {
    var selection = Self.selection()
    _ = selection.begin()
    for route in 0...2 {
      selection.opened(route)
      let step = selection.failed(route, .temporary, hasDelivered: false, after: .zero)
      #expect(step == (route < 2 ? .open(route + 1) : .wait(.seconds(1))))
    }
  }

  @Test func triesTheOthersWhenAnOpenRouteIsNotRestored() {
    var selection = Self.selection()
    _ = selection.begin()
    selection.opened(0)
    #expect(selection.becameLate(0, after: .zero) == .open(1))
    selection.opened(0)
    #expect(selection.states == [.open, .failed, .untried])
  }

  /// The route has lasted for as long as the next wait, or not.
  @Test(arguments: [(2, 1), (1, 2)])
  func beginsTheWaitsAnewAfterARouteThatWasNotRestoredInTime(_ lifetime: Int, _ wait: Int) {
    var selection = Self.selection()
    _ = selection.begin()
    for (lifetime, wait) in [(0, 1), (lifetime, wait)] {
      selection.opened(0)
      #expect(selection.becameLate(0, after: .seconds(lifetime)) == .open(1))
      #expect(selection.failed(1, .temporary, hasDelivered: false, after: .zero) == .open(2))
      let step = selection.failed(2, .temporary, hasDelivered: false, after: .zero)
      #expect(step == .wait(.seconds(wait)))
    }
  }

  @Test func bringsAThousandSubscriptionsBackSpreadOut() {
    let waits = (1...1_000).map { _ in
      var selection = RouteSelection(
        routeCount: 1, first: 0, reconnection: ReconnectionPolicy(),
        jitter: { Double.random(in: 0...1) })
      _ = selection.begin()
      selection.opened(0)
      guard
        case .wait(let delay) = selection.failed(
          0, .temporary, hasDelivered: true, after: .zero)
      else { return Duration.zero }
      return delay
    }
    #expect(Set(waits).count > 900)
    #expect(waits.allSatisfy { (.zero ... .seconds(1)).contains($0) })
  }

  /// It works, whether or not an event has come over it.
  @Test func aRouteOverWhichTheServerAsksToSubscribeAgainIsOpenedAgain() {
    var selection = Self.selection(first: 1)
    #expect(selection.begin() == .open(1))
    selection.opened(1)
    for delay in [1, 2, 4] {
      #expect(
        selection.failed(1, .restart, hasDelivered: false, after: .zero)
          == .wait(.seconds(delay)))
      #expect(selection.waited() == .open(1))
      selection.opened(1)
    }
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
      (Self.end(code: "SUBSCRIPTION_JWT_EXPIRED"), .ofOperation),
      (Self.end(code: "SUBSCRIPTION_SCHEMA_RELOAD"), .restart),
      (Self.end(code: "SUBSCRIPTION_CONFIG_RELOAD"), .restart),
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
      (501, .refused), (502, .temporary),
    ] {
      let head = try #require(
        HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil))
      let error = GraphQLHTTPResponseError(.errorResponse, head: head, body: Data(), url: url)
      #expect(RouteFailure(error) == failure, "\(status)")
    }
  }

  // MARK: Support

  private static func end(code: String) -> ResponseStreamError {
    ResponseStreamError(
      .endedByServer, "",
      graphQLErrors: [GraphQLError(message: "", extensions: ["code": .string(code)])])
  }

  private static func selection(
    first: Int = 0, policy: ReconnectionPolicy = ReconnectionPolicy()
  ) -> RouteSelection {
    RouteSelection(routeCount: 3, first: first, reconnection: policy, jitter: { 1 })
  }

  private static func steps(
    after failures: String, first: Int = 0, policy: ReconnectionPolicy = ReconnectionPolicy()
  ) -> [String] {
    var selection = selection(first: first, policy: policy)
    var current = first
    #expect(selection.begin() == .open(first))
    return failures.split(separator: " ").map { word in
      let failure: RouteFailure =
        word.hasSuffix("lost") ? .temporary : word.hasSuffix("refused") ? .refused : .ofOperation
      if word.hasPrefix("+") { selection.opened(current) }
      var text = ""
      var step = selection.failed(
        current, failure, hasDelivered: word.hasPrefix("+"), after: .zero)
      if case .wait(let delay) = step {
        text = "wait \(delay.components.seconds) "
        step = selection.waited()
      }
      switch step {
      case .open(let index):
        current = index
        return text + "open \(index)"
      case .wait, nil: return text + "nothing"
      case .fail: return text + "fail"
      }
    }
  }
}
