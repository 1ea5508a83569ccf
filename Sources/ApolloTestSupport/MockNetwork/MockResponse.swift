internal import ApolloAPI
public import Foundation

/// A response that a ``MockNetworkTransport`` gives to an operation.
///
/// ```swift
/// transport.respond(to: HeroQuery.self, with: .errors("Not now."), .data(Mock<Query>()))
/// ```
public struct MockResponse<Operation: GraphQLOperation>: Sendable {
  /// The steps in order. Each body is one response of the sequence.
  let steps: [MockStep]

  private init(_ steps: [MockStep]) { self.steps = steps }
}

/// A step of a ``MockNetworkTransport``.
enum MockStep: Sendable {
  case body(Data)
  case failure(any Error)
  case delay(Duration)
  /// Waits until the call is cancelled.
  case silence
}

extension MockResponse {
  /// A response with the fields of a mock of the root type, such as `Mock<Query>(hero: …)`.
  ///
  /// Required fields that mocks lack are filled; see ``MockFilling/required``. `variables` are the
  /// values of the variables in `@include` and `@skip` conditions.
  public static func data(_ mock: any AnyMock, variables: Variables? = nil) -> MockResponse {
    data(Operation.Data.from(mock, withVariables: variables, filling: .required))
  }

  /// A response with the fields of a model.
  public static func data(_ data: Operation.Data) -> MockResponse {
    MockResponse([.body(Data(#"{"data":"#.utf8) + Data(data.jsonBytes) + Data("}".utf8))])
  }

  /// A response with JSON text, such as `{"data": {"hero": null}}`. It is not checked, so that a
  /// test can send a response that does not fit.
  public static func json(_ text: String) -> MockResponse { MockResponse([.body(Data(text.utf8))]) }

  /// A response with the content of a JSON file, which is not checked.
  ///
  /// - Throws: An error of Foundation if the file cannot be read.
  public static func json(contentsOf file: URL) throws -> MockResponse {
    MockResponse([.body(try Data(contentsOf: file))])
  }

  /// A response with GraphQL errors and without data.
  public static func errors(_ messages: String...) -> MockResponse {
    let errors = messages.map { JSONValue.object(["message": .string($0)]) }
    var writer = JSONWriter()
    writer.write(.object(["errors": .array(errors)]))
    return MockResponse([.body(Data(writer.bytes))])
  }

  /// No response, but an error of the transport: a `NetworkError`, or any other.
  public static func failure(_ error: any Error) -> MockResponse { MockResponse([.failure(error)]) }

  /// No response until the call is cancelled.
  public static var never: MockResponse { MockResponse([.silence]) }

  /// A response in parts, as to `@defer`. Each part is the whole response so far.
  public static func parts(_ parts: MockResponse...) -> MockResponse {
    MockResponse(parts.flatMap(\.steps))
  }

  /// The events of a subscription, which ends after them. Events may be delayed, and the last one
  /// may be a failure.
  public static func events(_ events: MockResponse...) -> MockResponse {
    MockResponse(events.flatMap(\.steps))
  }

  /// The same response after a delay on the clock of the transport.
  public func delayed(by delay: Duration) -> MockResponse { MockResponse([.delay(delay)] + steps) }
}
