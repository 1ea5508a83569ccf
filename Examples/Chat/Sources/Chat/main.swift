// A chat on the command line. Everything, also the mutations, goes over one WebSocket.
//
//   swift run Chat ws://127.0.0.1:8000/graphql Ada             says what is typed, shows the rest
//   swift run Chat ws://127.0.0.1:8000/graphql Ada "Hello."    says one thing
//   swift run Chat ws://127.0.0.1:8000/graphql --show 2        shows two messages
//
// `python3 Server/server.py` starts a room. `scripts/examples` runs all of this.

import Apollo
import Foundation

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count >= 2, let url = arguments.first.flatMap(URL.init(string:)) else {
  print("Usage: Chat URL NAME [TEXT]   or   Chat URL --show COUNT")
  exit(64)
}
let rest = Array(arguments.dropFirst())

let transport = WebSocketTransport(endpointURL: url)
let apollo = ApolloClient(networkTransport: transport)

/// Shows what is said, up to `count` messages, and when the connection is lost.
@Sendable func show(_ count: Int = .max) async throws {
  var shown = 0
  let events = apollo.subscribe(
    subscription: Room.MessageAddedSubscription(), cachePolicy: .networkOnly,
    stateHandler: { state in
      switch state {
      case .interrupted: print("(The connection was lost.)")
      case .resumed: print("(The connection is back.)")
      case .dropped(let eventCount): print("(\(eventCount) messages were too fast.)")
      }
    })
  for try await event in events {
    guard let message = event.data?.messageAdded.fragments.messageLine else { continue }
    print("\(message.author): \(message.text)")
    shown += 1
    if shown == count { return }
  }
}

@Sendable func say(_ text: String, as author: String) async throws {
  let response = try await apollo.perform(
    mutation: Room.SayMutation(author: author, text: text))
  for error in response.errors ?? [] { print("The room refuses: \(error.message)") }
}

/// Waits for a typed line, on a thread that may wait.
func nextLine() async -> String? {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: readLine()) }
  }
}

switch (rest[0], rest.count) {
case ("--show", 2): try await show(Int(rest[1]) ?? 1)
case (let author, 2...): try await say(rest[1], as: author)
case (let author, _):
  let showing = Task { try await show() }
  while let line = await nextLine() { try await say(line, as: author) }
  showing.cancel()
}
