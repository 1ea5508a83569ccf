import Apollo
import ApolloAPI
import ApolloTransport
import Foundation
import LoopbackServer
import ScriptedSocket

/// The server of a scenario, over HTTP.
enum TableHTTPServer {
  static func start(_ stage: TableStage) throws -> LoopbackServer {
    try LoopbackServer { request, reply in
      let number = stage.countRequest()
      if request.headers["x-apollo-operation-type"] == "subscription" {
        return serveSubscription(stage, reply)
      }
      switch stage.scenario {
      case .response, .unobserved: reply.json(TableBody.data("Luke"))
      case .parts: serveParts(stage, reply)
      case .graphQLErrors: reply.json(TableBody.errors)
      case .failure: reply.json("{}", status: 500)
      case .unavailable where number == 1: reply.json("{}", status: 503)
      case .lost where number == 1: reply.close()
      case .unavailable, .lost: reply.json(TableBody.data("Luke"))
      case .unknownHash:
        reply.json(
          request.bodyText.contains(#""query""#) ? TableBody.data("Luke") : TableBody.unknownHash)
      case .cancelled, .deadline, .sessionEnded:
        stage.isWaiting.fire()
        reply.waitForClientToClose()
      }
    }
  }

  /// The parts arrive one by one where the caller takes them so, and together otherwise.
  private static func serveParts(_ stage: TableStage, _ reply: Reply) {
    let type = #"multipart/mixed; boundary="-""#
    let parts = TableBody.parts.map(part)
    guard !stage.isWhole else {
      let body = "---" + parts.joined() + "--\r\n"
      return reply.respond(headers: [("Content-Type", type)], body: [UInt8](body.utf8))
    }
    reply.beginChunks(type: type)
    reply.chunk("---" + parts[0])
    stage.hasFirstResponse.block()
    reply.chunk(parts[1] + "--\r\n")
    reply.endChunks()
  }

  private static func serveSubscription(_ stage: TableStage, _ reply: Reply) {
    func event(_ body: String) { reply.chunk(part(#"{"payload":\#(body)}"#)) }
    if stage.scenario == .failure { return reply.json("{}", status: 500) }
    if stage.scenario.isSilent {
      stage.isWaiting.fire()
      return reply.waitForClientToClose()
    }
    reply.beginChunks(type: #"multipart/mixed; boundary="-""#)
    reply.chunk("---")
    event(stage.scenario == .graphQLErrors ? TableBody.errors : TableBody.data("first"))
    stage.hasFirstResponse.block()
    if stage.scenario == .lost { return reply.close() }
    event(TableBody.data("second"))
    reply.chunk("--\r\n")
    reply.endChunks()
  }

  /// A part with the delimiter behind it, which shows its end.
  private static func part(_ body: String) -> String {
    "\r\ncontent-type: application/json\r\n\r\n\(body)\r\n---"
  }
}

/// The server of a scenario, over scripted WebSockets.
enum TableSocketServer {
  /// Serves connections until the task is cancelled.
  static func run(_ connector: ScriptedConnector, _ stage: TableStage) async {
    await withTaskGroup(of: Void.self) { group in
      while let attempt = try? await connector.nextAttempt() {
        let connection = attempt.accept("graphql-transport-ws")
        group.addTask { await serve(connection, stage) }
      }
      group.cancelAll()
    }
  }

  private static func serve(_ connection: ScriptedConnection, _ stage: TableStage) async {
    while let sent = try? await connection.nextSent() {
      switch sent {
      case .message(let message):
        let text = message.text ?? ""
        if text.contains("connection_init") {
          connection.deliver(#"{"type":"connection_ack"}"#)
        } else if text.contains(#""type":"subscribe""#) {
          await respond(to: text, on: connection, stage)
        }
      case .ping: connection.pong()
      case .close(let code, let reason): connection.end(code, reason)
      case .cancel: break
      }
    }
  }

  private static func respond(
    to text: String, on connection: ScriptedConnection, _ stage: TableStage
  ) async {
    let number = stage.countRequest()
    let id = identifier(in: text)
    func next(_ body: String) {
      connection.deliver(#"{"id":"\#(id)","type":"next","payload":\#(body)}"#)
    }
    func complete() { connection.deliver(#"{"id":"\#(id)","type":"complete"}"#) }
    let isSubscription = text.contains("subscription HeroChanged")
    switch stage.scenario {
    case _ where stage.scenario.isSilent: stage.isWaiting.fire()
    case .failure:
      connection.deliver(#"{"id":"\#(id)","type":"error","payload":[{"message":"Not now."}]}"#)
    case .parts:
      next(TableBody.parts[0])
      if !stage.isWhole { await stage.hasFirstResponse.wait() }
      next(TableBody.parts[1])
      complete()
    case .lost where number == 1:
      if isSubscription {
        next(TableBody.data("first"))
        await stage.hasFirstResponse.wait()
      }
      connection.end(.abnormal)
    case .graphQLErrors:
      next(TableBody.errors)
      complete()
    default:
      next(TableBody.data(isSubscription && number == 1 ? "first" : "Luke"))
      if isSubscription {
        await stage.hasFirstResponse.wait()
        next(TableBody.data("second"))
      }
      complete()
    }
  }

  private static func identifier(in text: String) -> String {
    guard let start = text.range(of: #""id":""#)?.upperBound else { return "" }
    return String(text[start...].prefix { $0 != "\"" })
  }
}
