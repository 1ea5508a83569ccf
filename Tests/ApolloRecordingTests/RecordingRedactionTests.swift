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
    // The identifiers of lists have arguments.
    (
      #"{"lists":["[\"QUERY_ROOT\",\"products\",\"first\",{\"n\":1,\"token\":\"a\\\"b\"}]","x"]}"#,
      #"{"lists":["[\"QUERY_ROOT\",\"products\",\"first\",{\"n\":1,\"token\":\"<redacted>\"}]","x"]}"#
    ),
    (
      #"{"list":"[\"R\",\"f\",\"last\",{},[\"viewer(a:\\\"b\\\",token:\\\"c\\\")\",\"d\"]]"}"#,
      #"{"list":"[\"R\",\"f\",\"last\",{},[\"viewer(a:\\\"b\\\",token:\\\"<redacted>\\\")\",\"d\"]]"}"#
    ),
    (
      #"{"list":"[\"R\",\"f\",\"last\",{},[\"v(in:{\\\"token\\\":\\\"c\\\"})\"]]"}"#,
      #"{"list":"[\"R\",\"f\",\"last\",{},[\"v(in:{\\\"token\\\":\\\"<redacted>\\\"})\"]]"}"#
    ),
    (
      #"{"list":"[\"R\",\"f\",\"last\",{\"in\":{\"apiKey\":7,\"pins\":[1]}}]"}"#,
      #"{"list":"[\"R\",\"f\",\"last\",{\"in\":{\"apiKey\":\"<redacted>\",\"pins\":[1]}}]"}"#
    ),
    (#"{"note":"[a token: \"b\"]"}"#, #"{"note":"[a token: \"b\"]"}"#),
  ])
  func variablesWithSecretNamesAreReplaced(_ json: String, _ expected: String) {
    #expect(variables(json) == expected)
  }

  @Test func allVariablesCanBeReplaced() {
    let all = RecordingRedaction(redactsAllVariables: true)
    #expect(variables(#"{"id":"1","n":null}"#, all) == #"{"id":"<redacted>","n":null}"#)
  }

  @Test func aProgramAddsAndExceptsNames() {
    let rules = RecordingRedaction(secretNames: ["taxNUMBER"], exceptions: ["pageToken"])
    // By default, each name is treated the other way.
    let json = #"{"taxNumber":"1","pageToken":"2"}"#
    let byDefault = #"{"taxNumber":"1","pageToken":"<redacted>"}"#
    let expected = #"{"taxNumber":"<redacted>","pageToken":"2"}"#
    #expect(variables(json) == byDefault)
    #expect(variables(json, rules) == expected)
    #expect(response(json) == byDefault)
    #expect(response(json, rules) == expected)
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
    "credentials", "X-JWT-Assertion", "X-Goog-IAP-JWT-Assertion", "X-CSRF", "X-XSRF",
    "X-GitHub-OTP",
    "X-Passcode", "Bearer",
  ])
  func theSecretHeadersAreThoseOfEvents(_ name: String) {
    #expect(RecordingRedaction().isSecretHeader(name) == LoggedHeader.isSecret(name))
  }

  @Test(arguments: ["X-JWT-Assertion", "X-CSRF", "X-XSRF", "X-GitHub-OTP", "Passcode"])
  func theseHeadersAreSecret(_ name: String) {
    #expect(RecordingRedaction().isSecretHeader(name))
  }

  /// Dates, enums and numbers are read again by the program.
  @Test(arguments: [
    "tokenExpiresAt", "passwordChangedAt", "tokenType", "authenticatedAt", "secretCount",
    "token_expires_at", "credentialStatus", "cookieDate",
  ])
  func namesOfTimesAndKindsAreNoSecrets(_ name: String) {
    #expect(
      !RecordingRedaction().isSecretField(name) && !RecordingRedaction().isSecretVariable(name))
    #expect(RecordingRedaction(secretNames: [name]).isSecretField(name))
  }

  @Test(arguments: [
    (#"{"data":{"token":"letmein","n":"#, #"{"data":{"token":"<redacted>","n":"#),
    (#"{"data":{"token":"letm"#, #"{"data":{"token":"<redacted>""#),
    (#"{"data":{"token": {"a":["letmein"#, #"{"data":{"token": "<redacted>""#),
    (#"5" disk, "token":"letmein", "#, #"5" disk, "token":"<redacted>", "#),
    (
      "data: {\"token\":\"letmein\"}\n\ndata: {\"pin\":1234,\"a\":1}\n",
      "data: {\"token\":\"<redacted>\"}\n\ndata: {\"pin\":\"<redacted>\",\"a\":1}\n"
    ),
    (#""{\"token\":\"letmein\"}" x"#, #""{\"token\":"<redacted>"}" x"#),
    // The secrets are let"me"in and letmein\, with the escapes of both texts.
    (#""{\"token\":\"let\\\"me\\\"in\",\"a\":1}" x"#, #""{\"token\":"<redacted>",\"a\":1}" x"#),
    (#""{\"token\":\"letmein\\\\\",\"a\":1}" x"#, #""{\"token\":"<redacted>",\"a\":1}" x"#),
    (#""{\"token\":\"letme\\"#, #""{\"token\":"<redacted>""#),
    ("access_token=letmein&x=1", "access_token=<redacted>&x=1"),
    ("<p>No.</p>", "<p>No.</p>"), ("", ""), (":", ":"), (#"":"#, #"":"#),
    (#""token":"#, #""token":"<redacted>""#),
  ])
  func aBodyThatIsNoJSONHasNoSecrets(_ body: String, _ expected: String) {
    let found = RecordingRedaction().body(Array(body.utf8))
    #expect(String(decoding: found, as: UTF8.self) == expected)
  }

  @Test(arguments: [
    (
      "https://b.example/f?X-Amz-Signature=letmein&X-Amz-Date=2026&w=200",
      "https://b.example/f?X-Amz-Signature=<redacted>&X-Amz-Date=2026&w=200"
    ),
    ("see https://u:letmein@b.example/x", "see https://<redacted>@b.example/x"),
    (
      "https://b.example/?q=a@b#access_token=letmein",
      "https://b.example/?q=a@b#access_token=<redacted>"
    ),
    ("/next?code=letmein&page=2", "/next?code=<redacted>&page=2"),
    ("a = b, token=letmein", "a = b, token=<redacted>"), ("max-age=60", "max-age=60"),
    ("mail@example.com", "mail@example.com"), ("a==", "a=="), ("?token=", "?token="),
  ])
  func urlsInTextsHaveNoSecrets(_ text: String, _ expected: String) {
    let redaction = RecordingRedaction()
    #expect(redaction.text(text) == expected)
    #expect(redaction.headers(["Location": text]).map(\.value) == [expected])
    let json = #"{"url":"\#(text)"}"#
    #expect(response(json) == #"{"url":"\#(expected)"}"#)
    #expect(variables(json) == #"{"url":"\#(expected)"}"#)
  }

  @Test(arguments: [
    (
      #"mutation { login(password: "letmein", name: "a") { id } }"#,
      #"mutation { login(password: "<redacted>", name: "a") { id } }"#
    ),
    (
      #"{ a(credentials: {user: "letmein", of: ["letmein"]}, b: ["c"]) }"#,
      #"{ a(credentials: {user: "<redacted>", of: ["<redacted>"]}, b: ["c"]) }"#
    ),
    (
      #"{ token: name a(tokenType: "b") password # "c": "d""#,
      #"{ token: name a(tokenType: "b") password # "c": "d""#
    ),
    (
      "{ a(secret: \"\"\"let\"me\\\"\"\"in\"\"\") b(c: \"d\") }",
      "{ a(secret: \"<redacted>\") b(c: \"d\") }"
    ),
    // A backslash in a block escapes no other one.
    (
      #"{ a(secret: """let\\"""me""") b(c: "d") }"#,
      #"{ a(secret: "<redacted>") b(c: "d") }"#
    ),
    (
      #"query($password: String = "letmein") { a(b: $password, c: "d") }"#,
      #"query($password: String = "<redacted>") { a(b: $password, c: "d") }"#
    ),
    (
      #"query($tokens: [String!] = ["letmein"], $a: String = "b") { c }"#,
      #"query($tokens: [String!] = ["<redacted>"], $a: String = "b") { c }"#
    ),
    // A bracket ends the name of a type, an enum value or a number.
    (
      #"query($tokens: [String] = ["letmein"], $a: String = "b") { c(d: "e") }"#,
      #"query($tokens: [String] = ["<redacted>"], $a: String = "b") { c(d: "e") }"#
    ),
    (
      #"{ a(credentials: {of: [A], pins: [-1.5], user: "letmein"}, b: "c") }"#,
      #"{ a(credentials: {of: [A], pins: [-1.5], user: "<redacted>"}, b: "c") }"#
    ),
    (#"{ a(password: "letm"#, #"{ a(password: "<redacted>""#),
  ])
  func literalsOfDocumentsHaveNoSecrets(_ document: String, _ expected: String) {
    #expect(RecordingRedaction().document(document) == expected)
  }

  @Test(arguments: [
    (
      #"https:\/\/u:letmein@b\/f?a=1\u0026token=letmein"#,
      #"https:\/\/<redacted>@b\/f?a=1\u0026token=<redacted>"#
    ),
    // Base64 has slashes and plus signs. PHP escapes the former, .NET the latter.
    (
      #"https:\/\/b\/f?token=let\/me\/in&a=1\/2"#,
      #"https:\/\/b\/f?token=<redacted>&a=1\/2"#
    ),
    (
      #"https://b/f?token=let\u002Bme\u002Bin\u0026a=1\u002B2"#,
      #"https://b/f?token=<redacted>\u0026a=1\u002B2"#
    ),
    // Gson escapes the equals sign.
    (
      #"https://b/f?X-Amz-Signature\u003dletmein\u003d\u0026w\u003d200"#,
      #"https://b/f?X-Amz-Signature\u003d<redacted>\u0026w\u003d200"#
    ),
    (#"https://u:let\u0026mein@b/x"#, #"https://<redacted>@b/x"#),
    (#"see \"https://b/f?token=letmein\" \/"#, #"see \"https://b/f?token=<redacted>\" \/"#),
  ])
  func urlsWithEscapesOfJSONHaveNoSecrets(_ text: String, _ expected: String) {
    #expect(response(#"{"u":"\#(text)"}"#) == #"{"u":"\#(expected)"}"#)
    #expect(variables(#"{"u":"\#(text)"}"#) == #"{"u":"\#(expected)"}"#)
    let cut = RecordingRedaction().body(Array(#"{"u":"\#(text)""#.utf8))
    #expect(String(decoding: cut, as: UTF8.self) == #"{"u":"\#(expected)""#)
  }
}
