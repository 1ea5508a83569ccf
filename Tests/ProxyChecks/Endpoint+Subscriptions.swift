import Apollo
import Foundation
import TestOperations

extension Endpoint {
  /// The event after a mutation should arrive while the response is still open.
  func twoEvents(_ route: Route) async throws -> String {
    let subscription = HeroSubscription(client(route))
    guard try await subscription.next(within: .seconds(6)) == "subscribed" else {
      return "no event"
    }
    return try await subscription.hears(of: try await renamed(), within: .seconds(6))
      ? "ok" : "one event"
  }

  /// Returns the route on which the events arrive, or `no event`.
  func fallbackRoute() async throws -> String {
    let (client, memory) = fallback()
    let subscription = HeroSubscription(client)
    guard try await subscription.next(within: .seconds(25)) == "subscribed" else {
      return "no event"
    }
    guard try await subscription.hears(of: try await renamed(), within: .seconds(6)) else {
      return "one event"
    }
    let host = [url.host, url.port.map(String.init)].compactMap { $0 }.joined(separator: ":")
    return memory.route(for: host) ?? "no route"
  }

  /// The subscription should outlive a silence of its events.
  func silence(_ route: Route) async throws -> String {
    let subscription = HeroSubscription(client(route))
    guard try await subscription.next(within: .seconds(6)) == "subscribed" else {
      return "no event"
    }
    let start = ContinuousClock.now
    do {
      // An error ends the subscription and this wait early.
      while let name = try await subscription.next(within: start + silence - .now) {
        if name == "subscribed" { break }  // Sent again after an interruption.
      }
      if let interruption = subscription.interruption {
        return "cut after \((interruption - start).components.seconds) s, resumed"
      }
      return try await subscription.hears(of: try await renamed(), within: .seconds(8))
        ? "ok" : "no event after the silence"
    } catch {
      let seconds = (ContinuousClock.now - start).components.seconds
      return "cut after \(seconds) s (\(summary(of: error)))"
    }
  }

  /// The subscription should live on, or be sent again.
  func eventAfterReload(_ route: Route) async throws -> String {
    let subscription = HeroSubscription(client(route))
    guard try await subscription.next(within: .seconds(6)) == "subscribed" else {
      return "no event"
    }
    await request("reload")
    guard try await recovers(http()) else { return "no response after the reload" }
    do {
      let name = try await renamed()
      switch try await subscription.next(within: .seconds(8)) {
      case name: return "ok"
      case "subscribed": return "resumed"
      default: return "no event after the reload"
      }
    } catch {
      return "cut (\(summary(of: error)))"
    }
  }

  /// The end of the server should interrupt a WebSocket's subscription, which returns with the
  /// server, and end one over HTTP with an error.
  func eventsAfterDeath(_ route: Route) async throws -> String {
    let subscription = HeroSubscription(client(route))
    guard try await subscription.next(within: .seconds(6)) == "subscribed" else {
      return "no event"
    }
    await request("kill")
    if route == .socket {
      await request("revive")
      return try await subscription.next(within: .seconds(12)) == "subscribed"
        ? "ok" : "no event after the return"
    }
    var outcome = "no end"
    do {
      if let name = try await subscription.next(within: .seconds(12)) { outcome = "event \(name)" }
    } catch is CleanEnd {
      outcome = "ended without an error"
    } catch {
      outcome = "ok"
    }
    await request("revive")
    return try await recovers(http()) ? outcome : "\(outcome); no recovery"
  }

  /// Renames the hero, and returns a name that no other check uses.
  private func renamed() async throws -> String {
    let name = "Hero \(UInt64.random(in: 0 ... .max))"
    try await rename(name)
    return name
  }
}
