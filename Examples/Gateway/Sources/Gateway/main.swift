// Answers HTTP requests with the data of a GraphQL server, for many users at once.
//
//   swift run Gateway http://127.0.0.1:8000/graphql    prints its own URL
//   curl --header "Authorization: Bearer ada" http://127.0.0.1:…/notes
//
// `python3 Server/server.py` starts a GraphQL server. `scripts/examples` runs all of this.

import Apollo
import Foundation

guard let argument = CommandLine.arguments.dropFirst().first, let url = URL(string: argument) else {
  print("Usage: Gateway URL")
  exit(64)
}
signal(SIGPIPE, SIG_IGN)  // a client that leaves early must not end the program

let users = UserClients(url: url)

/// Returns a user's notes as text. The second request of a user is served from the store.
@Sendable func notes(for authorization: String) async throws -> Response {
  let configuration = RequestConfiguration(
    requestTimeout: .seconds(5), additionalHeaders: ["Authorization": authorization])
  let response = try await users.client(for: authorization)
    .fetch(query: Notes.NotesQuery(), requestConfiguration: configuration)
  if let error = response.errors?.first {
    return Response(status: "403 Forbidden", text: error.message + "\n")
  }
  let source = response.source == .cache ? "stored" : "fetched"
  let notes = response.data?.notes.map(\.text) ?? []
  return Response(
    status: "200 OK", text: notes.map { "\($0) (\(source))\n" }.joined())
}

let server = try HTTPServer()
print("http://127.0.0.1:\(server.port)")
fflush(nil)

await server.serve { request in
  guard request.path == "/notes" else {
    return Response(status: "404 Not Found", text: "There is only /notes.\n")
  }
  guard let authorization = request.headers["authorization"] else {
    return Response(status: "401 Unauthorized", text: "Who are you?\n")
  }
  do {
    return try await notes(for: authorization)
  } catch {
    // The text of an error has no secrets, but it is for the log.
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    return Response(status: "502 Bad Gateway", text: "The GraphQL server is away.\n")
  }
}
