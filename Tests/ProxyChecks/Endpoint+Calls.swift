import Apollo
import Foundation
import TestOperations

extension Endpoint {
  func query(_ client: ApolloClient, nameByteCount: Int) async throws -> String {
    let name = String(repeating: "x", count: nameByteCount)
    let response = try await client.fetch(
      query: HeroAPI.HeroQuery(name: .some(name)), cachePolicy: .networkOnly)
    return response.data?.hero?.name == name ? "ok" : "another response"
  }

  func upload(byteCount: Int) async throws -> String {
    let name = try await uploadedName(byteCount: byteCount)
    return name?.contains("|\(byteCount)|") == true ? "ok" : "received as \(name ?? "nothing")"
  }

  /// A file that is larger than the proxy's limit should be refused with status 413.
  func refusedUpload(byteCount: Int) async throws -> String {
    do {
      _ = try await uploadedName(byteCount: byteCount)
      return "accepted"
    } catch let error as GraphQLHTTPResponseError where error.statusCode == 413 {
      return "ok"
    }
  }

  private func uploadedName(byteCount: Int) async throws -> String? {
    let file = GraphQLFile(
      fieldName: "file", originalName: "a.bin", data: Data(repeating: 7, count: byteCount))
    let response = try await http().upload(operation: HeroAPI.UploadMutation(), files: [file])
    return response.data?.upload?.name
  }

  /// The server completes the response when the client has received the first part, or after two
  /// seconds.
  func deferredParts() async throws -> String {
    var names: [String]?
    var partCount = 0
    for try await response in http().fetch(
      query: HeroAPI.DeferredHeroQuery(), fetchBehavior: .networkOnly)
    {
      partCount += 1
      if partCount == 1 { try await rename("release") }
      names = response.data?.hero?.fragments.slow?.friends?.map(\.name)
    }
    switch names {
    case ["Luke", "Leia"]: return "ok"
    case ["late"]: return "at the end"
    default: return "\(partCount) parts without the deferred data"
    }
  }

  func callsDuringReload() async throws -> String {
    let client = http()
    async let results = withTaskGroup(of: String.self) { group in
      for _ in 1...4 {
        group.addTask { await outcomeOfCalls(client, count: 25) }
      }
      return await group.reduce(into: [String]()) { $0.append($1) }
    }
    await request("reload")
    return await results.first { $0 != "ok" } ?? "ok"
  }

  private func outcomeOfCalls(_ client: ApolloClient, count: Int) async -> String {
    for _ in 1...count {
      do {
        let outcome = try await query(client, nameByteCount: 10)
        guard outcome == "ok" else { return outcome }
        try await Task.sleep(for: .milliseconds(20))
      } catch {
        return summary(of: error)
      }
    }
    return "ok"
  }

  /// Without its server, a proxy should respond with status 502 or 503. It recovers with the
  /// server.
  func callsAfterDeath() async throws -> String {
    let client = http()
    _ = try await query(client, nameByteCount: 10)
    await request("kill")
    var outcome = "a response without a server"
    do {
      _ = try await query(client, nameByteCount: 10)
    } catch let error as GraphQLHTTPResponseError where [502, 503, 504].contains(error.statusCode) {
      outcome = "ok"
    } catch {
      outcome = summary(of: error)
    }
    await request("revive")
    return try await recovers(client) ? outcome : "\(outcome); no recovery"
  }

  /// Returns whether queries succeed again. Some proxies remember for a while that a server was
  /// down.
  func recovers(_ client: ApolloClient) async throws -> Bool {
    for _ in 1...60 {
      if (try? await query(client, nameByteCount: 10)) == "ok" { return true }
      try await Task.sleep(for: .milliseconds(200))
    }
    return false
  }

  func rename(_ name: String) async throws {
    _ = try await http().perform(mutation: HeroAPI.RenameMutation(id: "1", name: name))
  }
}
