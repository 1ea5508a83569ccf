import ApolloTransport
import Testing

struct SecretTests {
  private struct Settings { var token = Secret("letmein") }

  @Test func noTextOfASecretHasItsValue() {
    let secret = Secret("letmein")
    var dumped = ""
    dump(Settings(), to: &dumped)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), "\(Settings())",
      "\([secret])", "\(Optional(secret) as Any)", String(reflecting: Settings()), dumped,
    ]
    for text in texts {
      #expect(!text.contains("letmein"))
      #expect(text.contains("<redacted>"))
    }
    #expect(secret.reveal() == "letmein")
  }

  @Test(arguments: [
    "Authorization", "proxy-authorization", "Cookie", "set-cookie", "X-API-Key", "api_key",
    "X-Auth-Token", "X-Amz-Security-Token", "X-Session", "X-Client-Secret", "X-Signature",
    "Password",
  ])
  func theValueOfAHeaderIsASecretByItsName(_ name: String) {
    let header = LoggedHeader(name: name, value: "letmein")
    #expect(header.description == "\(name): <redacted>")
    #expect(header.value == .secret(Secret("letmein")))
  }

  @Test(arguments: ["Accept", "Content-Type", "X-Apollo-Operation-Name", "traceparent", "ETag"])
  func otherHeadersAreLogged(_ name: String) {
    #expect(LoggedHeader(name: name, value: "x").description == "\(name): x")
  }
}
