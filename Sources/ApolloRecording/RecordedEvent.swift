package import ApolloAPI

/// One line of a recording: an event of a call, and its time.
///
/// ```json
/// {"call":1,"ms":0,"event":"request","type":"query","operation":"HeroName","variables":{},…}
/// {"call":1,"ms":31.7,"event":"response","status":200,"body":{"data":{…}}}
/// {"call":1,"ms":31.8,"event":"end"}
/// ```
///
/// The first line of a file is ``header``. Calls have numbers in the order of their requests. A
/// response in parts, and a subscription, has a line `response` for each part or event. A recording
/// of a proxy has a line `part` for each part of a response. The last line of a call is `end`,
/// `failure` or `cancelled`.
package struct RecordedEvent: Hashable, Sendable {
  /// The number of the call.
  package var call: Int
  /// The time since the recording began.
  package var time: Duration
  package var content: Content

  package enum Content: Hashable, Sendable {
    case request(Request)
    case response(Response)
    /// A part of a response as the server has sent it, before it is merged with those before it.
    case part(Response)
    case failure(Failure)
    case end
    case cancelled
  }

  /// An operation as it was sent.
  package struct Request: Hashable, Sendable {
    /// `query`, `mutation` or `subscription`.
    package var type: String
    package var operation: String
    /// A JSON object.
    package var variables: JSONValue
    package var headers: [String: String]
    /// The names of files that were uploaded.
    package var files: [String]
    /// The text of the operation and its fragments, or `nil` if it was not sent.
    package var document: String?

    package init(
      type: String, operation: String, variables: JSONValue, headers: [String: String] = [:],
      files: [String] = [], document: String? = nil
    ) {
      self.type = type
      self.operation = operation
      self.variables = variables
      self.headers = headers
      self.files = files
      self.document = document
    }
  }

  /// A response, a part of one, or an event of a subscription.
  package struct Response: Hashable, Sendable {
    package var status: Int?
    package var url: String?
    package var headers: [String: String]
    /// `true` if further parts may follow.
    package var isPartial: Bool
    /// `true` if a list that arrives in parts has failed, so that it stays short.
    package var lacksElements: Bool
    package var body: [UInt8]

    package init(
      status: Int? = nil, url: String? = nil, headers: [String: String] = [:],
      isPartial: Bool = false, lacksElements: Bool = false, body: [UInt8]
    ) {
      self.status = status
      self.url = url
      self.headers = headers
      self.isPartial = isPartial
      self.lacksElements = lacksElements
      self.body = body
    }
  }

  /// An error in place of a response.
  package struct Failure: Hashable, Sendable {
    /// The type of the error.
    package var type: String
    package var message: String
    /// The facts that make the error again, for errors of this library.
    package var facts: [String: JSONValue]
    /// The HTTP response that is the failure, if there is one.
    package var response: Response?

    package init(
      type: String, message: String, facts: [String: JSONValue] = [:], response: Response? = nil
    ) {
      self.type = type
      self.message = message
      self.facts = facts
      self.response = response
    }
  }

  package init(call: Int, time: Duration, _ content: Content) {
    self.call = call
    self.time = time
    self.content = content
  }

  /// `true` if the call has no further events.
  var isLast: Bool {
    switch content {
    case .end, .failure, .cancelled: true
    case .request, .response, .part: false
    }
  }
}
