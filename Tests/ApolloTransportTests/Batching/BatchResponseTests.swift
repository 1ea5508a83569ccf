import Foundation
import Testing

@testable import ApolloTransport

struct BatchResponseTests {
  /// The results for two queries: the text of a body, or the name of an error's code.
  private func results(_ body: String) -> [String] {
    // A slice whose indices do not begin with 0, as bodies may be.
    let data = Data("xx\(body)".utf8).dropFirst(2)
    return BatchResponse.bodies(in: data, queryCount: 2, url: nil).map {
      switch $0 {
      case .success(let body): String(decoding: body, as: UTF8.self)
      case .failure(let error): error.code.description
      }
    }
  }

  @Test(arguments: [
    (#"[{"data":1},{"data":2}]"#, [#"{"data":1}"#, #"{"data":2}"#]),
    (" [ {\"a\":\"]\"} ,\n{} ] ", [#"{"a":"]"}"#, "{}"]),
    (#"[{"data":1}]"#, [#"{"data":1}"#, "missingElement"]),
    ("[]", ["missingElement", "missingElement"]),
    (#"[{"data":1},null]"#, [#"{"data":1}"#, "malformedElement"]),
    (#"[7,{"data":2}]"#, ["malformedElement", #"{"data":2}"#]),
    (#"[{"data":1},{"da"#, [#"{"data":1}"#, "malformedElement"]),
    (#"[{"data":1}"#, [#"{"data":1}"#, "malformedElement"]),
    ("[", ["malformedElement", "malformedElement"]),
    ("[{},{},{}]", ["tooManyElements", "tooManyElements"]),
    (#"{"data":{"a":1}}"#, ["notAnArray", "notAnArray"]),
    (
      #"{"errors":[{"message":"no batches"}]}"#,
      [String](repeating: #"{"errors":[{"message":"no batches"}]}"#, count: 2)
    ),
    ("<html>", ["<html>", "<html>"]),
    ("", ["", ""]),
  ])
  func eachQueryHasItsElementOrAnError(_ body: String, _ expected: [String]) {
    #expect(results(body) == expected)
  }

  @Test func anArrayThatIsCutAnywhereDeliversWhatHadArrived() {
    let body = #"[{"data":{"a":"}"}},{"data":2}]"#
    for count in 1..<body.utf8.count {
      let results = results(String(body.prefix(count)))
      #expect(results[0] == (count < 19 ? "malformedElement" : #"{"data":{"a":"}"}}"#))
      #expect(results[1] == (count < 30 ? "malformedElement" : #"{"data":2}"#))
    }
  }

  @Test(arguments: [
    (
      BatchResponseError.Code.notAnArray,
      "http://host/x responded to 3 queries with one object. Check that the server allows batches, or turn batching off."
    ),
    (
      .missingElement,
      "http://host/x responded to 3 queries without an element for query 2. Check that the server allows batches of this size, or lower `maximumQueryCount`."
    ),
    (
      .malformedElement,
      "http://host/x responded to 3 queries with a malformed element for query 2. Check the server."
    ),
    (
      .tooManyElements,
      "http://host/x responded to 3 queries with more elements. Check the server and what is in front of it."
    ),
  ])
  func everyErrorIsASentence(_ code: BatchResponseError.Code, _ sentence: String) {
    let error = BatchResponseError(
      code, url: URL(string: "http://user:secret@host/x?token=secret"), index: 1, queryCount: 3)
    #expect(error.description == sentence)
    #expect(error.localizedDescription == sentence)
  }
}
