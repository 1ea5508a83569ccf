import ApolloTransport
import Testing

/// The facts that a record has about the attempts of a call.
struct SendingRecordTests {
  /// The end of one attempt.
  enum End: Sendable, CustomStringConvertible {
    case status(Int)
    case lost
    case nothingSent
    /// A response with a status which says that the server does not know the hash.
    case unknownHash(Int)

    var description: String {
      switch self {
      case .status(let code): "\(code)"
      case .lost: "lost"
      case .nothingSent: "nothing sent"
      case .unknownHash(let code): "unknown hash, \(code)"
      }
    }
  }

  /// The last attempt is that of the response. What earlier ones have done, no response says.
  @Test(
    arguments: [
      ([.status(200)], false), ([.status(502)], false), ([.status(429)], false),
      ([.status(502), .status(200)], true),
      // A refused attempt has done nothing, but the one before it may have.
      ([.status(502), .status(429)], true), ([.status(502), .status(401), .status(200)], true),
      ([.lost, .status(400)], true), ([.nothingSent, .status(200)], false),
      ([.status(401), .status(200)], false),
      ([.status(200), .lost], true),
      ([.unknownHash(200), .nothingSent], false), ([.unknownHash(400), .status(200)], false),
      ([.status(502), .unknownHash(400), .nothingSent], true),
      ([.status(502), .unknownHash(200), .nothingSent], true),
    ] as [([End], Bool)])
  func onlyTheLatestAttemptIsThatOfTheResponse(_ ends: [End], mayHaveArrived: Bool) throws {
    let record = SendingRecord()
    try record.handOver()
    record.beginNoting()
    for end in ends {
      let attempt = try record.beginAttempt()
      attempt.prepare()
      switch end {
      case .nothingSent: attempt.endWithoutEffect()
      case .lost: #expect(attempt.leave())
      case .status(let code):
        #expect(attempt.leave())
        attempt.respond(statusCode: code)
      case .unknownHash(let code):
        #expect(attempt.leave())
        attempt.respond(statusCode: code)
        record.refuse()
      }
    }
    #expect(record.close().mayHaveArrivedBeforeResponse == mayHaveArrived)
  }

  @Test(arguments: [false, true])
  func onlyTheTokenOfTheLatestAttemptCountsAsRejected(hasLaterAttempt: Bool) throws {
    let record = SendingRecord()
    try record.handOver()
    record.beginNoting()
    let attempt = try record.beginAttempt()
    attempt.respond(statusCode: 401)
    attempt.rejectToken()
    if hasLaterAttempt { try record.beginAttempt().respond(statusCode: 400) }
    let facts = record.close()
    #expect(facts.isTokenRejected == !hasLaterAttempt)
    #expect(!facts.mayHaveArrived)
  }

  /// It was not passed on, so it does not explain the end of the call.
  @Test func aResponseThatRejectsATokenAndMayHaveHadAnEffectIsNotTheEnd() throws {
    let record = SendingRecord()
    try record.handOver()
    record.beginNoting()
    let attempt = try record.beginAttempt()
    attempt.respond(statusCode: 200)
    attempt.rejectToken()
    let facts = record.close()
    #expect(facts.isTokenRejected)
    #expect(facts.mayHaveArrived)
    #expect(facts.mayHaveArrivedBeforeResponse)
  }
}
