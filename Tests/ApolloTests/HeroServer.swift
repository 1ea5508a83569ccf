import ApolloTransport
import ApolloAPI
import Foundation
import LoopbackServer

/// A GraphQL server with one hero and two friends, and a mutation that renames them.
final class HeroServer: Sendable {
  let server: LoopbackServer
  private let isDown = Lock(false)

  init() throws {
    let names = Lock(["0": "R2-D2", "1": "Luke", "2": "Leia"])
    server = try LoopbackServer { [isDown] request, reply in
      if isDown.get() { return reply.close() }
      reply.json(names.withLock { Self.response(request.bodyText, &$0) })
    }
  }

  var url: URL { server.url() }
  var requestCount: Int { server.requests.count }
  func stop() { server.stop() }

  /// Closes every connection from now on, without a response.
  func breakDown() { _ = isDown.exchange(true) }

  private static func response(_ body: String, _ names: inout [String: String]) -> String {
    func hero(_ id: String, _ rest: String = "") -> String {
      #"{"__typename":"Hero","id":"\#(id)","name":"\#(names[id] ?? "no name")"\#(rest)}"#
    }
    if body.contains(#""operationName":"Rename""#) {
      let id = variable("id", in: body)
      names[id] = variable("name", in: body)
      return #"{"data":{"rename":\#(hero(id))}}"#
    }
    return #"{"data":{"hero":\#(hero("0", #","friends":[\#(hero("1")),\#(hero("2"))]"#))}}"#
  }

  /// Returns the value of a string variable that has no escapes.
  private static func variable(_ name: String, in body: String) -> String {
    guard let variables = body.range(of: #""variables":"#)?.upperBound,
      let start = body[variables...].range(of: #""\#(name)":""#)?.upperBound
    else { return "" }
    return String(body[start...].prefix { $0 != "\"" })
  }
}
