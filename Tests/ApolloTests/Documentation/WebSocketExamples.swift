import Apollo
import ApolloAPI
import ApolloTransport
import ApolloWebSocket
import Foundation
import StarWarsAPI

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The examples in the documentation of `ApolloWebSocket`, word for word, so that the compiler
// checks them. `DocumentationExamplesTests` compares the two.

private actor TokenStore {
  var current = "…"

  func refresh() async {}
}

// MARK: - Transports

private func subscribe() async throws {
  let transport = WebSocketTransport(endpointURL: URL(string: "wss://example.com/graphql")!)
  let apollo = ApolloClient(networkTransport: transport)
  for try await response in apollo.subscribe(subscription: ReviewAddedSubscription()) {
    print(response.data?.reviewAdded.stars ?? 0)
  }
  do {
    for try await event in apollo.subscribe(subscription: ReviewAddedSubscription()) {
      print(event.data?.reviewAdded.stars ?? 0)
    }
  } catch let error as WebSocketError where error.code == .rejected {
    print(error.graphQLErrors)
  }
}

private func configure(_ tokens: TokenStore, url: URL, endpoint: URL) {
  do {
    var configuration = WebSocketTransport.Configuration()
    configuration.connectingPayloadProvider = { attempt in
      if attempt.isRejected { await tokens.refresh() }
      return ["authToken": .string(await tokens.current)]
    }
    let transport = WebSocketTransport(endpointURL: url, configuration: configuration)
    _ = transport
    configuration.recoveries = .hasura
  }
  struct UUIDCreator: OperationMessageIdCreator {
    func requestId() -> String { UUID().uuidString }
  }
  let socket = WebSocket(url: endpoint, protocol: .graphql_transport_ws)
  let transport = WebSocketTransport(websocket: socket)
  _ = transport
}

// MARK: - Connections

#if CURL
  private func createAConnector(authorityFile: URL) throws {
    var configuration = CurlClient.Configuration()
    configuration.tls.authorities = .pem(try Data(contentsOf: authorityFile))
    let connector = CurlWebSocketConnector(configuration: configuration)
    _ = connector
  }
#else
  private func createAConnector() {
    let connector = URLSessionWebSocketConnector(sessionConfiguration: .graphQL)
    _ = connector
  }
#endif

private func talk(_ request: URLRequest) async throws {
  let socket = try await DefaultWebSocketConnector().connect(to: request, subprotocols: ["chat"])
  socket.enqueue(.text("hello"))
  loop: while true {
    switch try await socket.receive() {
    case .message(let message): print(message.text ?? "binary")
    case .end(let end):
      print(end)
      break loop
    }
  }
  socket.close(code: 4400, reason: "Invalid message")
}

private func refreshToken() async {}

private func connect(_ connector: any WebSocketConnector, to request: URLRequest) async throws {
  var socket: (any WebSocketConnection)?
  do {
    socket = try await connector.connect(to: request, subprotocols: ["graphql-transport-ws"])
  } catch let error as WebSocketHandshakeError where error.statusCode == 401 {
    await refreshToken()
  }
  _ = socket
}
