import ApolloAPI
import ApolloTransport
import Foundation
import ScriptedSocket
import TestOperations
import Testing

@testable import ApolloWebSocket

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The server's side of a transport in a test.
struct ScriptedServer {
  let connector = ScriptedConnector()
  let time = ManualTime()

  /// Creates a transport that connects to this server. The waits before attempts are the longest
  /// possible ones.
  func transport(
    _ configuration: WebSocketTransport.Configuration = .init(),
    headers: [String: String] = [:]
  ) throws -> WebSocketTransport {
    var configuration = configuration
    configuration.callbackQueue = DispatchQueue(label: "callbacks")
    var request = URLRequest(url: try #require(URL(string: "ws://localhost/graphql")))
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    return WebSocketTransport(
      request: request, connector: connector, configuration: configuration, clock: time,
      jitter: { 1 })
  }

  /// Accepts the next connection and acknowledges its session.
  func accept(
    _ subprotocol: WebSocketSubprotocol = .graphqlTransportWS
  ) async throws -> ScriptedConnection {
    let connection = try await connector.nextAttempt().accept(subprotocol.rawValue)
    _ = try await connection.nextText()
    connection.deliver(#"{"type":"connection_ack"}"#)
    return connection
  }
}

extension ScriptedConnection {
  /// The next message of the client.
  func nextText() async throws -> String {
    switch try await nextSent() {
    case .message(let message): message.text ?? "binary"
    case .ping: "ping"
    case .close(let code, let reason): "close \(code.rawValue) \(reason)"
    case .cancel: "cancel"
    }
  }

  /// The next message of the client without its payload.
  func nextEnvelope() async throws -> String {
    let text = try await nextText()
    guard let value = try? JSONValue(jsonBytes: Data(text.utf8)) else { return text }
    let id = value["id"]?.stringValue.map { " \($0)" } ?? ""
    return (value["type"]?.stringValue ?? "") + id
  }

  func deliverHero(_ name: String, id: String) {
    deliver(
      #"{"id":"\#(id)","type":"next","payload":{"data":{"heroChanged":{"__typename":"Hero","id":"1","name":"\#(name)"}}}}"#
    )
  }
}

extension OperationResults {
  /// The next element as text: a hero's name, or an event.
  func nextText() async throws -> String? {
    switch try await next() {
    case .result(let payload, _):
      try JSONValue(jsonBytes: payload.bytes)["data"]?["heroChanged"]?["name"]?.stringValue
        ?? payload.description
    case .interrupted: "interrupted"
    case .resumed: "resumed"
    case .dropped(let count): "dropped \(count)"
    case nil: nil
    }
  }
}

let heroChanges = OperationRequest(HeroAPI.HeroChangedSubscription())
let heroQuery = OperationRequest(HeroAPI.HeroQuery())
let renaming = OperationRequest(HeroAPI.RenameMutation(id: "1", name: "Luke"))
