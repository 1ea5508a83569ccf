import Testing

@testable import ApolloTransport

struct MediaTypeTests {
  @Test(arguments: [
    ("application/json", "application/json", [:]),
    ("application/JSON;charset=\"UTF-8\"", "application/json", ["charset": "UTF-8"]),
    ("  text/html ; Charset = utf-8 ", "text/html", ["charset": "utf-8"]),
    ("multipart/mixed;boundary=\"a;b\\\"c\";x", "multipart/mixed", ["boundary": "a;b\"c"]),
    ("a/b;x=1;X=2", "a/b", ["x": "1"]),
    (
      "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json", "multipart/mixed",
      ["boundary": "graphql", "subscriptionspec": "1.0,application/json"]
    ),
    ("application/json, application/json", "application/json", [:]),
    (
      "application/json;charset=utf-8,application/json;charset=latin1", "application/json",
      ["charset": "utf-8"]
    ),
    (
      "multipart/mixed;boundary=\"a,b\", text/html;x=1", "multipart/mixed", ["boundary": "a,b"]
    ),
  ])
  func readsTypeAndParameters(_ text: String, _ essence: String, _ parameters: [String: String])
    throws
  {
    let type = try #require(MediaType(text))
    #expect(type.essence == essence)
    #expect(type.parameters == parameters)
  }

  @Test(arguments: [
    "", ",a/b", "json", "/json", "text/", "a/b/c", "te xt/html", ";", "\u{0}/\u{0}", "é/é",
  ])
  func refusesWhatIsNotAType(_ text: String) { #expect(MediaType(text) == nil) }

  @Test(arguments: [
    ("a/b", true), ("a/b;charset=UTF-8", true), ("a/b;charset=us-ascii", true),
    ("a/b;charset=", true), ("a/b;charset=\"\"", true),
    ("a/b;charset=iso-8859-1", false), ("a/b;charset=utf-16", false),
  ])
  func knowsWhetherTheTextIsUTF8(_ text: String, _ isUTF8: Bool) throws {
    #expect(try #require(MediaType(text)).isUTF8 == isUTF8)
  }

  /// Every text of up to five of these characters: none may trap.
  @Test func survivesEveryShortText() {
    let alphabet: [Character] = ["a", "/", ";", "=", "\"", "\\", " ", ","]
    var texts = [""]
    for _ in 0..<5 {
      texts = texts.flatMap { text in alphabet.map { text + String($0) } }
      for text in texts { _ = MediaType(text) }
    }
    #expect(texts.count == 32_768)
  }
}
