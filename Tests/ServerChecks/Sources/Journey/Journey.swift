import Apollo
import Foundation

/// The steps of a client with one server. Each prints its name, a tab, and `ok` or what was seen.
public struct Journey: Sendable {
  /// A client that subscribes over a WebSocket and sends everything else over HTTP.
  public let client: ApolloClient

  /// Reads the URL of the endpoint, and that of WebSockets if it is another one, from the arguments
  /// of the program.
  public init() {
    let urls = CommandLine.arguments.dropFirst().compactMap(URL.init(string:))
    guard let http = urls.first, let socket = urls.last else {
      FileHandle.standardError.write(Data("usage: … <URL> [<URL of WebSockets>]\n".utf8))
      exit(2)
    }
    client = ApolloClient(
      networkTransport: SplitNetworkTransport(
        uploadingNetworkTransport: HTTPNetworkTransport(url: http),
        webSocketNetworkTransport: WebSocketTransport(endpointURL: socket)))
  }

  /// Runs a step, which returns whether it has seen what it should.
  public func step(
    _ name: String, _ body: @escaping @Sendable (ApolloClient) async throws -> Bool
  ) async {
    let client = client
    let outcome = await withTaskGroup(of: String.self) { group in
      group.addTask {
        do {
          return try await body(client) ? "ok" : "other data"
        } catch {
          return "\(error)".replacingOccurrences(of: "\n", with: " ")
        }
      }
      group.addTask {
        try? await Task.sleep(for: .seconds(20))  // Cancelled when the step is faster.
        return "nothing within 20 s"
      }
      defer { group.cancelAll() }
      return await group.next() ?? ""
    }
    FileHandle.standardOutput.write(Data("\(name)\t\(outcome)\n".utf8))
  }
}
