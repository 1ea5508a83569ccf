import LocalHTTP

// The examples in the documentation of the module, word for word, so that the compiler checks them.
// `DocumentationExamplesTests` compares the two.

private func serve() throws {
  let server = try LocalHTTPServer(port: 8080) { request, response in
    response.send(#"{"data": null}"#, type: "application/json")
  }
  defer { server.stop() }
  print(server.port)
}

private func talk(_ response: LocalResponse) async {
  guard let socket = response.acceptWebSocket() else { return }
  for await message in socket.messages { socket.send("You said: \(message)") }
}
