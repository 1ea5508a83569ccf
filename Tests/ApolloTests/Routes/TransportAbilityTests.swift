import ApolloAPI
import ApolloTestSupport
import Foundation
import TestOperations
import Testing

@testable import Apollo
@testable import ApolloTransport

/// Every ability of a transport, through every transport that sends through another one.
///
/// A wrapper that forgets an ability fails here, and so does an ability or a transport that is not
/// in the tables below.
@Suite(.timeLimit(.minutes(10)))
struct TransportAbilityTests {
  @Test(arguments: Wrapper.allCases, Ability.allCases)
  fileprivate func isPassedOn(wrapper: Wrapper, ability: Ability) async throws {
    let expected = wrapper.exceptions[ability] ?? .passedOn
    for base in [Base(isAble: true), Base(isAble: false)] {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("abilities-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      // Nothing depends on the removal.
      defer { try? FileManager.default.removeItem(at: folder) }
      let transport = try wrapper.around(base, folder)
      let answers = await ability.answers(transport, base)
      let isThere = expected == .passedOn ? base.isAble : expected == .always
      #expect(answers == [isThere], "over a transport that \(base.isAble ? "can" : "cannot")")
    }
  }

  /// The requirements with an underscore are the abilities.
  @Test func noAbilityIsForgotten() throws {
    let text = try source("ApolloTransport/Transports/NetworkTransport.swift")
    let end = try #require(text.range(of: "\n}\n"))
    let body = text.prefix(upTo: end.lowerBound)
    let names = body.matches(of: /\n  (?:var|func) (_\w+)/).map { String($0.1) }
    #expect(
      names.sorted() == Ability.allCases.map(\.rawValue).filter { $0.hasPrefix("_") }.sorted())
  }

  /// Those that wrap no other transport have their abilities from their own code.
  @Test func noTransportIsForgotten() throws {
    let senders = [
      "FakeServerTransport", "HTTPNetworkTransport", "MockNetworkTransport", "ReplayTransport",
      "RequestChainNetworkTransport", "WebSocketTransport",
    ]
    var found: Set<String> = []
    let files = try #require(FileManager.default.enumerator(atPath: Self.sources.path))
    for case let file as String in files where file.hasSuffix("Transport.swift") {
      for match in try source(file).matches(of: /\n *public final class (\w+): \w*NetworkTransport/)
      {
        found.insert(String(match.1))
      }
    }
    #expect(found.sorted() == (senders + Wrapper.allCases.compactMap(\.typeName)).sorted())
  }

  private static let sources = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Sources")

  private func source(_ path: String) throws -> String {
    try String(contentsOf: Self.sources.appendingPathComponent(path), encoding: .utf8)
  }
}

/// The way in which a wrapper treats an ability of the transport in it.
private enum Treatment { case passedOn, always, never }

// MARK: - Abilities

/// The requirements of a transport besides its calls, by their names.
private enum Ability: String, CaseIterable, Sendable {
  case sendsSubscriptions = "_sendsSubscriptions"
  case upload = "_upload"
  case keepsDeadlines = "_keepsDeadlines"
  case interceptors = "_interceptors"
  case timeLimit = "_timeLimit"
  case sharesExchanges = "_sharesExchanges"
  case endSession = "_endSession"
  case endsSubscriptions = "_endsSubscriptions"
  case endpointURL
  case callTimeLimit

  /// Returns whether a transport has the ability, for each type of an operation.
  func answers(_ transport: any NetworkTransport, _ base: Base) async -> Set<Bool> {
    let types: [GraphQLOperationType] = [.query, .mutation, .subscription]
    switch self {
    case .sendsSubscriptions: return [transport._sendsSubscriptions]
    case .upload:
      // An error is no response.
      let response = try? await transport._upload(OperationRequest(HeroAPI.UploadMutation()))
      return [response?.body == Base.uploaded]
    case .keepsDeadlines: return [transport._keepsDeadlines]
    case .interceptors:
      return Set(
        types.flatMap { type in
          [false, true].map {
            transport.interceptors(for: type, hasFiles: $0)?.provider is Base.Provider
          }
        })
    case .timeLimit:
      return Set(
        types.flatMap { type in
          [false, true].map { transport._timeLimit(for: type, hasFiles: $0) == .seconds(9) }
        })
    case .sharesExchanges: return [transport._sharesExchanges]
    case .endSession:
      transport._endSession()
      return [base.endedSessionCount.get() > 0]
    case .endsSubscriptions: return [transport._endsSubscriptions]
    case .endpointURL: return [transport.endpointURL == Base.url]
    case .callTimeLimit: return [transport.callTimeLimit == .seconds(7)]
    }
  }
}

/// A transport with every ability or with none, whatever a transport has without saying so.
private final class Base: UploadingNetworkTransport, SubscriptionNetworkTransport,
  InterceptingNetworkTransport
{
  struct Provider: InterceptorProvider {}
  struct UnableError: Error {}

  static let url = URL(string: "https://a.example")
  static let uploaded = Data("uploaded".utf8)

  let isAble: Bool
  let endedSessionCount = Lock(0)

  init(isAble: Bool) { self.isAble = isAble }

  func send(_ request: OperationRequest) async throws -> NetworkResponse { throw UnableError() }

  func responses(to request: OperationRequest) -> NetworkResponses {
    NetworkResponses(throwing: UnableError())
  }

  func upload(_ request: OperationRequest, files: [GraphQLFile]) async throws -> NetworkResponse {
    guard isAble else { throw UnableError() }
    return NetworkResponse(body: Self.uploaded)
  }

  var endpointURL: URL? { isAble ? Self.url : nil }
  var callTimeLimit: Duration? { isAble ? .seconds(7) : nil }
  var _sendsSubscriptions: Bool { isAble }
  var _keepsDeadlines: Bool { isAble }
  var _sharesExchanges: Bool { isAble }
  var _endsSubscriptions: Bool { isAble }

  func _upload(_ request: OperationRequest) async throws -> NetworkResponse? {
    isAble ? NetworkResponse(body: Self.uploaded) : nil
  }

  func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    isAble ? Provider() : nil
  }

  func _timeLimit(for type: GraphQLOperationType, hasFiles: Bool) -> Duration? {
    isAble ? .seconds(9) : nil
  }

  func _endSession() { if isAble { endedSessionCount.withLock { $0 += 1 } } }
}

// MARK: - Wrappers

private enum Wrapper: String, CaseIterable, Sendable {
  case split, deduplicating, fallback, recording, ofProgram

  /// The name of a wrapper of the package.
  var typeName: String? {
    switch self {
    case .split: "SplitNetworkTransport"
    case .deduplicating: "DeduplicatingNetworkTransport"
    case .fallback: "FallbackNetworkTransport"
    case .recording: "RecordingTransport"
    case .ofProgram: nil
    }
  }

  /// The abilities that do not follow from those of the transport in it, as the design note "One
  /// lane" says.
  var exceptions: [Ability: Treatment] {
    switch self {
    // `_timeLimit` has the limits of all transports in it, and each has a URL of its own.
    case .split:
      [
        .keepsDeadlines: .never, .sendsSubscriptions: .always, .endpointURL: .never,
        .callTimeLimit: .never,
      ]
    // It waits for the requests of others, and what was shared once needs no second sharing.
    case .deduplicating:
      [.keepsDeadlines: .never, .sendsSubscriptions: .always, .sharesExchanges: .never]
    // The end of a route begins the next one.
    case .fallback:
      [.keepsDeadlines: .never, .sendsSubscriptions: .always, .endsSubscriptions: .never]
    case .recording: [:]
    // The abilities of the public protocols.
    case .ofProgram:
      [
        .keepsDeadlines: .never, .sendsSubscriptions: .always, .sharesExchanges: .never,
        .endsSubscriptions: .never, .timeLimit: .never, .endSession: .never,
      ]
    }
  }

  func around(_ base: Base, _ folder: URL) throws -> any NetworkTransport {
    switch self {
    case .split:
      SplitNetworkTransport(
        queryTransport: base, mutationTransport: base, subscriptionTransport: base,
        uploadTransport: base)
    case .deduplicating: DeduplicatingNetworkTransport(base)
    case .fallback:
      FallbackNetworkTransport(
        queryTransport: base,
        FallbackCall.Environment(
          routes: [SubscriptionRoute(name: "only", base)], host: "",
          memory: SubscriptionRouteMemory(), openingTimeout: .seconds(1),
          recoveryTimeout: .seconds(1), reconnection: ReconnectionPolicy(),
          clock: SystemAlarmClock.shared, jitter: { 0 }))
    case .recording:
      try RecordingTransport(base, file: folder.appendingPathComponent("session.jsonl"))
    case .ofProgram: WrapperOfProgram(base)
    }
  }
}

/// A wrapper that passes on all that a program knows of.
private final class WrapperOfProgram: UploadingNetworkTransport, SubscriptionNetworkTransport,
  InterceptingNetworkTransport
{
  private let base: Base

  init(_ base: Base) { self.base = base }

  var endpointURL: URL? { base.endpointURL }
  var callTimeLimit: Duration? { base.callTimeLimit }

  func send(_ request: OperationRequest) async throws -> NetworkResponse {
    try await base.send(request)
  }

  func responses(to request: OperationRequest) -> NetworkResponses { base.responses(to: request) }

  func upload(_ request: OperationRequest, files: [GraphQLFile]) async throws -> NetworkResponse {
    try await base.upload(request, files: files)
  }

  func interceptorProvider(for type: GraphQLOperationType) -> (any InterceptorProvider)? {
    base.interceptorProvider(for: type)
  }
}
