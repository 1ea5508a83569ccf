import ApolloAPI
import LoopbackServer

/// The behavior of a server towards the requests of one call.
enum TableScenario: String, CaseIterable, Sendable {
  /// Responds to each request. A subscription has two events.
  case response
  /// Responds in two parts.
  case parts
  /// Responds with data and an error.
  case graphQLErrors
  /// Fails each request, with the status 500 over HTTP.
  case failure
  /// Fails the first request, with the status 503 over HTTP.
  case unavailable
  /// Ends the connection in place of the first response, or after the first event.
  case lost
  /// Knows no hash of a document.
  case unknownHash
  /// Says nothing until the caller is cancelled.
  case cancelled
  /// Says nothing until the time of the call is over.
  case deadline
  /// Says nothing until the session of the call has ended.
  case sessionEnded
  /// Responds to each request, of a client without observers: it may take its shortcut.
  case unobserved

  var isSilent: Bool { self == .cancelled || self == .deadline || self == .sessionEnded }
}

/// The facts about one call that a server, a transport and the reader of the responses share.
final class TableStage: Sendable {
  let scenario: TableScenario
  /// `true` if the caller takes the response as a whole.
  let isWhole: Bool
  /// Fires when a request waits for a response that never comes, or when the call has ended.
  let isWaiting = Signal()
  /// Fires when the caller has the first response of the server, or when the call has ended.
  let hasFirstResponse = Signal()
  /// Fires when the caller has cached data, or when the call has ended.
  let hasCachedData = Signal()
  private let ended = Lock(false)
  private let state = Lock((requests: 0, notes: [String]()))

  init(_ scenario: TableScenario, isWhole: Bool) {
    self.scenario = scenario
    self.isWhole = isWhole
  }

  /// Counts a request and returns its number, from 1 on.
  func countRequest() -> Int {
    state.withLock { state in
      state.requests += 1
      return state.requests
    }
  }

  /// Notes a step of code of the program.
  func note(_ text: String) { state.withLock { $0.notes.append(text) } }

  var requestCount: Int { state.withLock { $0.requests } }
  var notes: [String] { state.withLock { $0.notes } }

  var hasEnded: Bool { ended.get() }

  func end() {
    _ = ended.exchange(true)
    isWaiting.fire()
    hasFirstResponse.fire()
    hasCachedData.fire()
  }
}

/// The bodies of the server's responses.
enum TableBody {
  private static func hero(_ name: String, _ rest: String = "") -> String {
    #"{"__typename":"Hero","id":"0","name":"\#(name)"\#(rest)}"#
  }

  /// The data for each operation of the tests.
  static func data(_ name: String) -> String {
    let hero = hero(name, #","friends":null"#)
    return #"{"data":{"hero":\#(hero),"rename":\#(hero),"heroChanged":\#(hero)}}"#
  }

  static let errors =
    #"{"data":{"hero":null,"rename":null,"heroChanged":\#(hero("half"))},"errors":[{"message":"No hero.","path":["hero"]}]}"#

  static let unknownHash = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#

  static let parts = [
    #"{"data":{"hero":\#(hero("Luke"))},"pending":[{"id":"0","path":["hero"],"label":"slow"}],"hasNext":true}"#,
    #"{"incremental":[{"id":"0","data":{"friends":[]}}],"completed":[{"id":"0"}],"hasNext":false}"#,
  ]
}
