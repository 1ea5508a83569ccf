import ApolloRecording
import ApolloTransport
import Testing

@Suite struct RecordingRedactionTests {
  private func variables(
    _ json: String, _ redaction: RecordingRedaction = RecordingRedaction()
  ) -> String {
    String(decoding: redaction.variables(Array(json.utf8)), as: UTF8.self)
  }

  private func response(
    _ json: String, _ redaction: RecordingRedaction = RecordingRedaction()
  ) -> String {
    String(decoding: redaction.response(Array(json.utf8)), as: UTF8.self)
  }

  @Test(arguments: [
    (#"{"id":"1","password":"letmein"}"#, #"{"id":"1","password":"<redacted>"}"#),
    (#"{"input":{"apiKey":"x","n":[1,2]}}"#, #"{"input":{"apiKey":"<redacted>","n":[1,2]}}"#),
    (#"{"credentials":{"user":"a","pin":1},"b":2}"#, #"{"credentials":"<redacted>","b":2}"#),
    (#"{"tokens":["a","b"]}"#, #"{"tokens":"<redacted>"}"#),
    (#"{"secret":1234}"#, #"{"secret":"<redacted>"}"#),
    (#"{"sessionToken":null}"#, #"{"sessionToken":null}"#),
    (#"{"author":"Le Guin","authorId":7}"#, #"{"author":"Le Guin","authorId":7}"#),
    (
      #"{"authorization":"x","oauthCode":"y"}"#,
      #"{"authorization":"<redacted>","oauthCode":"<redacted>"}"#
    ),
    (#"{"pass\u0077ord":"letmein"}"#, #"{"pass\u0077ord":"<redacted>"}"#),
    (#"{"note":"\"password\":\"a\""}"#, #"{"note":"\"password\":\"a\""}"#),
  ])
  func variablesWithSecretNamesAreReplaced(_ json: String, _ expected: String) {
    #expect(variables(json) == expected)
  }

  @Test func allVariablesCanBeReplaced() {
    let all = RecordingRedaction(redactsAllVariables: true)
    #expect(variables(#"{"id":"1","n":null}"#, all) == #"{"id":"<redacted>","n":null}"#)
  }

  @Test func aProgramAddsAndExceptsNames() {
    let rules = RecordingRedaction(secretNames: ["SSN"], exceptions: ["pageToken"])
    #expect(
      variables(#"{"ssn":"1","pageToken":"2"}"#, rules) == #"{"ssn":"<redacted>","pageToken":"2"}"#)
    #expect(
      response(#"{"ssn":"1","pageToken":"2"}"#, rules) == #"{"ssn":"<redacted>","pageToken":"2"}"#)
  }

  @Test(arguments: [
    (#"{"data":{"login":{"token":"abc"}}}"#, #"{"data":{"login":{"token":"<redacted>"}}}"#),
    (#"{"tokens":["a","b"],"c":["d"]}"#, #"{"tokens":["<redacted>","<redacted>"],"c":["d"]}"#),
    (
      #"{"token":{"id":"a","accessToken":"b"}}"#,
      #"{"token":{"id":"a","accessToken":"<redacted>"}}"#
    ),
    (#"{"tokenCount":3,"token":null}"#, #"{"tokenCount":3,"token":null}"#),
    (
      #"{"tokens":[{"__typename":"Token","id":"1","symbol":"E","n":[1,"x"]}],"a":"b"}"#,
      #"{"tokens":[{"__typename":"Token","id":"1","symbol":"<redacted>","n":[1,"<redacted>"]}],"a":"b"}"#
    ),
    (
      #"{"login":{"token":{"value":"v","of":{"raw":"r"}}},"a":"b"}"#,
      #"{"login":{"token":{"value":"<redacted>","of":{"raw":"<redacted>"}}},"a":"b"}"#
    ),
    (
      #"{"jwt":"a","otp":"b","pin":"c","spinner":"d","option":"e"}"#,
      #"{"jwt":"<redacted>","otp":"<redacted>","pin":"<redacted>","spinner":"d","option":"e"}"#
    ),
    (#"{"session":"Swift","key":"a"}"#, #"{"session":"Swift","key":"a"}"#),
    ("{\n  \"token\": \"a\",\r\n  \"b\": 1\n}", #"{   "token":"<redacted>",    "b":1 }"#),
  ])
  func textsOfResponsesWithSecretNamesAreReplaced(_ json: String, _ expected: String) {
    #expect(response(json) == expected)
  }

  @Test(arguments: [
    "Authorization", "Cookie", "Set-Cookie", "X-API-Key", "X-Session", "Content-Type", "Accept",
    "ETag", "X-Signature", "X-CSRF-Token", "Proxy-Authorization", "password", "x-client-secret",
    "credentials",
  ])
  func theSecretHeadersAreThoseOfEvents(_ name: String) {
    #expect(RecordingRedaction().isSecretHeader(name) == LoggedHeader.isSecret(name))
  }
}
