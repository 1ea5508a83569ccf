import ApolloTransport
import Foundation
import Testing

/// The sentence of each error of a request, word for word.
struct GraphQLHTTPRequestErrorTests {
  @Test(arguments: [
    (
      GraphQLHTTPRequestError.cancelledByDelegate,
      "The transport's delegate did not want the request to be sent."
    ),
    (
      .unsupportedURL("ftp://host/x"),
      "The endpoint 'ftp://host/x' is not an http or https URL with a host. Give the client one that is."
    ),
    (
      .unsupportedWebSocketURL("host/x"),
      "The endpoint 'host/x' cannot be that of a WebSocket: it is not a ws, wss, http or https URL with a host. Give the transport one that is."
    ),
    (
      .invalidHeader(name: "X\r\nY"),
      "The header 'X??Y' has characters that HTTP does not allow, such as line breaks or letters outside ASCII. Encode its value."
    ),
    (
      .reservedHeader(name: "Host"),
      "The header 'Host' belongs to the connection, and the HTTP client sets it. Don't set it in headers, interceptors or delegates."
    ),
    (
      .missingOperationIdentifier(operationName: "Hero"),
      "The operation 'Hero' has no identifier. Generate code with operation identifiers, or let the transport send the text."
    ),
    (
      .unregisteredPart(operationName: "Hero"),
      "The part of 'Hero' that the cache does not have cannot be sent by an identifier, because it is not a registered document. Don't let this call fetch missing fields alone, or let the transport send texts."
    ),
    (
      .uploadMismatch(fieldName: "input.avatar", reason: "there is no such variable"),
      "No file can be uploaded for 'input.avatar': there is no such variable. Name a variable that holds one placeholder for each file."
    ),
    (
      .unreadableFile(name: "a.txt", reason: "It is gone."),
      "The file 'a.txt' could not be read: It is gone."
    ),
    (
      .changedFile(name: "a.txt", reason: "it was written to"),
      "The file 'a.txt' changed while it was sent: it was written to. Upload a copy that nothing writes to."
    ),
    (
      GraphQLHTTPRequestError(.noPlaceForHeader),
      "The key of the mutation is in a header, which a message over a WebSocket does not have. Send the key in a variable, or mutations over HTTP."
    ),
    (
      GraphQLHTTPRequestError(.init(description: "later")),
      "The request was not sent: later. Correct it, then try again."
    ),
  ])
  func saysWhatIsWrongAndWhatToDo(_ error: GraphQLHTTPRequestError, _ sentence: String) {
    #expect(error.description == sentence)
    #expect(error.localizedDescription == sentence)
  }

  @Test func carriesTheFactsOfItsCode() {
    let error = GraphQLHTTPRequestError.uploadMismatch(fieldName: "file", reason: "it is missing")
    #expect(error.code == .uploadMismatch)
    #expect(error.fieldName == "file")
    #expect(error.reason == "it is missing")
    #expect(GraphQLHTTPRequestError.invalidHeader(name: "X").headerName == "X")
    #expect(GraphQLHTTPRequestError.unreadableFile(name: "a", reason: "").fileName == "a")
    #expect(GraphQLHTTPRequestError.unsupportedURL("x").url == "x")
    #expect(
      GraphQLHTTPRequestError.missingOperationIdentifier(operationName: "A").operationName == "A")
  }
}

/// The sentence of each error of automatic persisted queries, word for word.
struct APQErrorTests {
  @Test(arguments: [
    (
      APQError.Code.persistedQueryRetryFailed,
      "The server does not remember the document of 'Hero' although it was sent. Check the server's persisted queries, or turn automatic persisted queries off."
    ),
    (
      APQError.Code(description: "later"),
      "The persisted query 'Hero' failed: later. Turn automatic persisted queries off."
    ),
  ])
  func saysWhatIsWrongAndWhatToDo(_ code: APQError.Code, _ sentence: String) {
    let error = APQError(code, operationName: "Hero")
    #expect(error.description == sentence)
    #expect(error.localizedDescription == sentence)
    #expect(error.code.description == code.description)
  }
}
