import Testing

@testable import ApolloRedis

/// The states of partitions in responses that arrive in any order.
struct MetaTests {
  struct Response: Sendable, CustomTestStringConvertible {
    let state: Meta
    let known: Meta
    let before: Meta
    let isOvertaken: Bool

    /// A response with a state. The states are texts such as `e5`: the epoch and the version.
    init(_ state: String, knowing known: String, sentAt before: String, isOvertaken: Bool) {
      func meta(_ text: String) -> Meta {
        Meta(
          epoch: text.first == "0" ? "" : String(text.prefix(1)),
          version: UInt64(text.drop(while: \.isLetter)) ?? 0)
      }
      (self.state, self.known, self.before) = (meta(state), meta(known), meta(before))
      self.isOvertaken = isOvertaken
    }

    var testDescription: String { "\(state) after \(known), sent at \(before)" }
  }

  /// A replica that lacks the newer state would be read otherwise.
  @Test(arguments: [
    Response("e5", knowing: "e5", sentAt: "e5", isOvertaken: false),
    Response("e6", knowing: "e5", sentAt: "e5", isOvertaken: false),
    Response("f6", knowing: "e5", sentAt: "e5", isOvertaken: false),
    // Another response was faster: that of a write, or of a clearing.
    Response("e5", knowing: "e6", sentAt: "e5", isOvertaken: true),
    Response("e5", knowing: "f6", sentAt: "e5", isOvertaken: true),
    Response("f6", knowing: "f7", sentAt: "e5", isOvertaken: true),
    Response("f6", knowing: "g7", sentAt: "e5", isOvertaken: true),
    Response("0", knowing: "e1", sentAt: "0", isOvertaken: true),
    // The server has lost its state.
    Response("0", knowing: "e5", sentAt: "e5", isOvertaken: false),
    Response("f1", knowing: "e5", sentAt: "e5", isOvertaken: false),
    Response("e5", knowing: "0", sentAt: "e5", isOvertaken: true),
    Response("e5", knowing: "f1", sentAt: "e5", isOvertaken: true),
    // A replica that was behind has become the primary server.
    Response("e4", knowing: "e5", sentAt: "e5", isOvertaken: false),
  ])
  func aResponseThatArrivesLateDoesNotReplaceANewerState(response: Response) {
    #expect(
      response.state.isOvertaken(by: response.known, since: response.before)
        == response.isOvertaken)
  }
}
