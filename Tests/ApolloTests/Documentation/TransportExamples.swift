import Apollo
import ApolloAPI
import ApolloTransport
import ApolloWebSocket
import Foundation
import StarWarsAPI
import TestOperations

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(OSLog)
  import OSLog
#endif

// The examples in the documentation of `ApolloTransport`, word for word, so that the compiler
// checks them. `DocumentationExamplesTests` compares the two.

private actor TokenStore {
  var current = "…"
}

// MARK: - HTTP clients

#if CURL
  private func useCurl(url: URL, authorityFile: URL) throws {
    do {
      var configuration = CurlClient.Configuration()
      configuration.connectTimeout = .seconds(5)
      let client = CurlClient(configuration: configuration)
      let transport = HTTPNetworkTransport(url: url, client: client)
      _ = transport
    }
    var configuration = CurlClient.Configuration()
    configuration.tls.authorities = .pem(try Data(contentsOf: authorityFile))
    configuration.proxy = .none
    let client = CurlClient(configuration: configuration)
    _ = client
  }
#endif

private func useURLSession(url: URL) {
  do {
    let configuration = URLSessionConfiguration.default
    configuration.timeoutIntervalForRequest = 10
    let client = URLSessionClient(sessionConfiguration: configuration)
    let transport = HTTPNetworkTransport(url: url, client: client)
    _ = transport
  }
  let client = URLSessionClient(callbackQueue: nil)
  let task = client.sendRequest(URLRequest(url: url)) { result in
    print((try? result.get())?.1.statusCode ?? 0)
  }
  // later:
  client.cancel(task: task)
}

private func useClients(url: URL, request: URLRequest) async throws {
  do {
    let client = BatchingHTTPClient(configuration: .init(maximumDelay: .milliseconds(5)))
    let apollo = ApolloClient(networkTransport: HTTPNetworkTransport(url: url, client: client))
    _ = apollo
  }
  final class Recording: HTTPClient {
    let base: any HTTPClient = DefaultHTTPClient()
    var limits: TransferLimits { base.limits }

    func response(to request: URLRequest) async throws -> HTTPResponse {
      let response = try await base.response(to: request)
      print(request.url?.path ?? "", response.response.statusCode)
      return response
    }

    func invalidate() { base.invalidate() }
  }
  // Unchecked as its superclass is, which guards its state. It has none of its own.
  final class SigningClient: DefaultHTTPClient, @unchecked Sendable {
    override func authorize(
      _ request: URLRequest, after response: HTTPURLResponse
    ) async throws -> URLRequest? {
      var request = request
      request.setValue("Bearer \(try await newToken())", forHTTPHeaderField: "Authorization")
      return request
    }

    override func didComplete(_ request: URLRequest, with error: (any Error)?) {
      print(request.url?.path ?? "", error ?? "succeeded")
    }

    private func newToken() async throws -> String { "…" }
  }
  let client = Recording()
  let response = try await client.response(to: request)
  for try await chunk in response.chunks { print(chunk.count) }
}

// MARK: - Errors

private func show(_ data: HeroNameQuery.Data?) {}
private func showOfflineBanner() {}
private func showRetryButton() {}

private func handleErrors(
  _ apollo: ApolloClient, _ responses: GraphQLResponses<HeroNameQuery>
) async throws {
  do {
    _ = try await apollo.fetch(query: HeroNameQuery())
  } catch let error as NetworkError
    where [.offline, .hostNotFound, .cannotConnect].contains(error.code)
  {
    showOfflineBanner()
  }
  do {
    _ = try await apollo.fetch(query: HeroNameQuery())
  } catch let error as GraphQLHTTPRequestError where error.code == .invalidHeader {
    print("Correct the header", error.headerName ?? "")
  }
  do {
    for try await response in responses { show(response.data) }
  } catch let error as ResponseStreamError where error.kind == .truncated {
    showRetryButton()
  }
}

// MARK: - Events

private func observe(_ transport: any NetworkTransport, incoming: [String: String]) async throws {
  do {
    struct SlowCallReporter: CallEventObserver {
      func observe(_ event: CallEvent) {
        guard event.kind.isTerminal, event.time > .seconds(2) else { return }
        print("slow:", event)
      }
    }
    let apollo = ApolloClient(networkTransport: transport, observers: [SlowCallReporter()])
    _ = apollo
  }
  do {
    let events = EventRingBuffer(capacity: 100)
    let apollo = ApolloClient(networkTransport: transport, observers: [events])
    _ = try await apollo.fetch(query: HeroNameQuery())
    print(events.names)  // ["began", "cacheRead", "requestBuilt", "sent", …]
  }
  do {
    let apollo = ApolloClient(networkTransport: transport, observers: [StandardErrorLog()])
    _ = apollo
  }
  #if canImport(OSLog)
    do {
      let log = SystemLog(Logger(subsystem: "com.example.app", category: "graphql"))
      let apollo = ApolloClient(networkTransport: transport, observers: [log])
      _ = apollo
    }
  #endif
  let token = Secret("letmein")
  print(token)  // <redacted>
  print(token.reveal())  // letmein
  let parent = TraceContext(traceparent: incoming["traceparent"], tracestate: nil)
  let context = parent?.child() ?? TraceContext()
  _ = context
}

// MARK: - Responses in parts

private func use(_ event: ServerSentEvent) {}
private func use(_ part: Data) {}
private func decode(_ body: Data) {}

private func split(_ chunk: Data) throws {
  do {
    var framer = EventStreamFramer(maximumEventByteCount: 1 << 20)
    framer.append(chunk)
    while let event = try framer.next() { use(event) }
  }
  do {
    var framer = MultipartFramer(boundary: "graphql", maximumPartByteCount: 1 << 20)
    framer.append(chunk)
    while let part = try framer.next() { use(part) }
  }
  var assembler = ResponseAssembler(
    framing: .multipart(boundary: "-"), content: .response, maximumPartByteCount: 1 << 20)
  assembler.append(chunk)
  while let body = try assembler.next() { decode(body) }
}

// MARK: - Requests

private func configureRequests(url: URL) {
  do {
    let apollo = ApolloClient(
      url: url, clientAwarenessMetadata: ClientAwareness(name: "shop", version: "4.2"))
    _ = apollo
  }
  do {
    let transport = HTTPNetworkTransport(url: url)
    transport.subscriptionFormat = .serverSentEvents
  }
  do {
    let transport = HTTPNetworkTransport(url: url)
    transport.httpStatusPolicy = .bodyDecides
  }
  struct TenantRequestCreator: RequestCreator {
    func requestBody<Operation: GraphQLOperation>(
      for operation: Operation, sendOperationIdentifiers: Bool, sendQueryDocument: Bool,
      autoPersistQuery: Bool
    ) -> GraphQLMap {
      var body = ApolloRequestCreator().requestBody(
        for: operation, sendOperationIdentifiers: sendOperationIdentifiers,
        sendQueryDocument: sendQueryDocument, autoPersistQuery: autoPersistQuery)
      body["tenant"] = "north"
      return body
    }
  }
  let transport = HTTPNetworkTransport(url: url, requestCreator: TenantRequestCreator())
  _ = transport
}

private func upload(
  _ apollo: ApolloClient, _ mutation: HeroAPI.UploadMutation, _ video: GraphQLFile, url: URL
) async throws {
  var configuration = RequestConfiguration()
  configuration.uploadProgressHandler = UploadProgressHandler { progress in
    print("\(progress.sentByteCount) of \(progress.totalByteCount) bytes")
  }
  let response = try await apollo.upload(
    operation: mutation, files: [video], requestConfiguration: configuration)
  _ = response
  guard
    let file = GraphQLFile(
      fieldName: "file", originalName: "a.txt", mimeType: "text/plain", fileURL: url)
  else { return }
  _ = file
}

private func refetchReviews() {}

private func subscribe(_ apollo: ApolloClient) async throws {
  let events = apollo.subscribe(
    subscription: ReviewAddedSubscription(),
    stateHandler: { state in
      if case .resumed = state { refetchReviews() }
    })
  _ = events
  for try await response in apollo.subscribe(subscription: ReviewAddedSubscription()) {
    print(response.data?.reviewAdded.stars ?? 0)
  }
}

private protocol Connection: Sendable {
  func close()
}

private func setAlarm(_ clock: any AlarmClock, _ connection: any Connection) {
  let alarm = clock.setAlarm(after: .seconds(5)) { connection.close() }
  alarm.cancel()
}

// MARK: - Transports

private final class Keychain: Sendable {
  private let stored = Lock<String?>(nil)

  var token: String? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}

private protocol Session: Sendable {
  func refreshToken() async throws -> String
}

private func authenticate(_ keychain: Keychain, _ session: any Session) {
  let authentication = AuthenticationInterceptor(token: keychain.token) {
    let token = try await session.refreshToken()
    keychain.token = token
    return token
  }

  struct Interceptors: InterceptorProvider {
    let authentication: AuthenticationInterceptor

    func httpInterceptors(for operation: any GraphQLOperation) -> [any HTTPInterceptor] {
      [authentication]
    }
  }
  _ = Interceptors(authentication: authentication)
  var configuration = WebSocketTransport.Configuration()
  configuration.connectingPayloadProvider = { attempt in
    let token = try await authentication.currentToken(isRejected: attempt.isRejected)
    return ["token": .string(token)]
  }
}

private func intercept() {
  struct Authorization: HTTPInterceptor {
    let tokens: TokenStore

    func intercept(
      request: URLRequest, next: @Sendable (URLRequest) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
      var request = request
      request.setValue("Bearer \(await tokens.current)", forHTTPHeaderField: "Authorization")
      return try await next(request)
    }
  }
  final class CannedTransport: NetworkTransport {
    func send(_ request: OperationRequest) async throws -> NetworkResponse {
      NetworkResponse(body: Data(#"{"data":{"hero":null}}"#.utf8))
    }
  }
}

private final class Delegate: HTTPNetworkTransportDelegate {
  func createAClient(url: URL) {
    let transport = HTTPNetworkTransport(url: url, delegate: self)
    let apollo = ApolloClient(networkTransport: transport)
    _ = apollo
  }
}
