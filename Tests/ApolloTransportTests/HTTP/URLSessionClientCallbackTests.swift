import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(10)))
struct URLSessionClientCallbackTests {
  private typealias Answer = Result<(Data, HTTPURLResponse), any Error>

  private func client(_ queue: OperationQueue? = nil) -> URLSessionClient {
    URLSessionClient(
      sessionConfiguration: .graphQL.patient, callbackQueue: queue,
      limits: TransferLimits(deadline: nil))
  }

  private func answer(_ client: URLSessionClient, _ url: URL) async -> Answer {
    await withCheckedContinuation { continuation in
      client.sendRequest(URLRequest(url: url)) { continuation.resume(returning: $0) }
    }
  }

  @Test func deliversTheWholeResponseOnce() async throws {
    let server = try LoopbackServer { _, reply in reply.respond(201, body: Array("12345".utf8)) }
    defer { server.stop() }
    let (data, response) = try await answer(client(), server.url()).get()
    #expect(String(decoding: data, as: UTF8.self) == "12345")
    #expect(response.statusCode == 201)
  }

  @Test func deliversFailures() async throws {
    let server = try LoopbackServer { _, reply in reply.close() }
    defer { server.stop() }
    let answer = await answer(client(), server.url())
    #expect(throws: NetworkError.self) { try answer.get() }
  }

  @Test func callsTheRawHandlerFirstAndTheOtherOnItsQueue() async throws {
    let server = try LoopbackServer { _, reply in reply.respond(body: [1]) }
    defer { server.stop() }
    let queue = OperationQueue()
    let events = Lock<[String]>([])
    await withCheckedContinuation { continuation in
      client(queue).sendRequest(
        URLRequest(url: server.url()),
        rawTaskCompletionHandler: { data, response, error in
          events.withLock {
            $0.append("raw \(data?.count ?? 0) \(response?.statusCode ?? 0) \(error == nil)")
          }
        },
        completion: { _ in
          let isOnQueue = OperationQueue.current === queue
          events.withLock { $0.append("done \(isOnQueue)") }
          continuation.resume()
        })
    }
    #expect(events.get() == ["raw 1 200 true", "done true"])
  }

  @Test func followsRedirectsAsTransportsDo() async throws {
    let server = try LoopbackServer { request, reply in
      request.path == "/there"
        ? reply.respond(body: [1, 2])
        : reply.respond(307, headers: [("Location", "/there")])
    }
    defer { server.stop() }
    let (data, _) = try await answer(client(), server.url("/here")).get()
    #expect(data == Data([1, 2]))
    #expect(server.requests.map(\.path) == ["/here", "/there"])
  }

  @Test func cancellingATaskFreesTheConnectionAndCallsNothing() async throws {
    let isAsked = Signal()
    let server = try LoopbackServer { request, reply in
      guard request.path == "/slow" else { return reply.respond(body: [1]) }
      isAsked.fire()
      reply.waitForClientToClose()
    }
    defer { server.stop() }
    let client = client()
    let callCount = Lock(0)
    let task = client.sendRequest(URLRequest(url: server.url("/slow"))) { _ in
      callCount.withLock { $0 += 1 }
    }
    await isAsked.wait()
    client.cancel(task: task)
    await server.wait { $0.openConnectionCount == 0 }
    _ = try await answer(client, server.url()).get()
    #expect(callCount.get() == 0)
  }

  @Test(arguments: [true, false])
  func clearingForgetsTheCallbacks(_ clearsAll: Bool) async throws {
    let isAsked = Signal()
    let mayRespond = Signal()
    let server = try LoopbackServer { request, reply in
      if request.path == "/slow" {
        isAsked.fire()
        mayRespond.block()
      }
      reply.respond(body: [1])
    }
    defer { server.stop() }
    let client = client()
    let callCount = Lock(0)
    let task = client.sendRequest(URLRequest(url: server.url("/slow"))) { _ in
      callCount.withLock { $0 += 1 }
    }
    await isAsked.wait()
    if clearsAll { client.clearAllTasks() } else { client.clear(task: task.taskIdentifier) }
    mayRespond.fire()
    _ = try await answer(client, server.url()).get()
    #expect(callCount.get() == 0)
  }

  enum EarlyEnd: CaseIterable { case cancel, clear, clearAll }

  @Test(arguments: EarlyEnd.allCases)
  func aCallbackThatWaitsForItsQueueIsNotCalledAfterTheEnd(end: EarlyEnd) async throws {
    let server = try LoopbackServer { _, reply in reply.respond(body: [1]) }
    defer { server.stop() }
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.isSuspended = true
    let client = client(queue)
    let callCount = Lock(0)
    let task = client.sendRequest(URLRequest(url: server.url())) { _ in
      callCount.withLock { $0 += 1 }
    }
    while queue.operationCount == 0 { await Task.yield() }
    switch end {
    case .cancel: client.cancel(task: task)
    case .clear: client.clear(task: task.taskIdentifier)
    case .clearAll: client.clearAllTasks()
    }
    queue.isSuspended = false
    await withCheckedContinuation { continuation in
      queue.addOperation { continuation.resume() }
    }
    #expect(callCount.get() == 0)
  }

  /// They may own an object of the program that uses the client when it is released.
  @Test(arguments: [true, false])
  func clearedCallbacksAreReleasedWithoutALock(_ clearsAll: Bool) async throws {
    final class Owner: Sendable {
      let client: URLSessionClient
      let isReleased: Signal

      init(_ client: URLSessionClient, _ isReleased: Signal) {
        (self.client, self.isReleased) = (client, isReleased)
      }

      deinit {
        client.clearAllTasks()
        isReleased.fire()
      }
    }
    let server = try LoopbackServer { _, reply in reply.waitForClientToClose() }
    defer { server.stop() }
    let client = client()
    defer { client.invalidate() }
    let isReleased = Signal()
    func start() -> URLSessionTask {
      let owner = Owner(client, isReleased)
      return client.sendRequest(URLRequest(url: server.url())) { _ in
        withExtendedLifetime(owner) {}
      }
    }
    let task = start()
    if clearsAll { client.clearAllTasks() } else { client.clear(task: task.taskIdentifier) }
    await isReleased.wait()
  }

  @Test func anInvalidatedClientFailsAtOnce() async throws {
    let client = client()
    client.invalidate()
    let url = try #require(URL(string: "http://localhost/graphql"))
    let answer = await answer(client, url)
    let error = #expect(throws: NetworkError.self) { try answer.get() }
    #expect(error?.code == .invalidated)
  }

  @Test func callsBackOnTheMainQueueByDefault() {
    #expect(URLSessionClient().callbackQueue === OperationQueue.main)
  }
}
