internal import ApolloAPI
import Foundation

extension RecordedEvent {
  /// The first line of a recording, with a line break.
  package static let header = Array("{\"format\":\"apollo-recording\",\"version\":1}\n".utf8)

  /// Returns the event as one line of JSON with a line break, without secrets.
  package func line(_ redaction: RecordingRedaction) -> [UInt8] {
    var secretIDs: Set<String> = []
    return line(redaction, secretIDs: &secretIDs)
  }

  /// Returns the event as one line of JSON with a line break, without secrets.
  ///
  /// - Parameters:
  ///   - redaction: The values that are not written.
  ///   - secretIDs: The identifiers of secret parts that the call has announced so far. Those that
  ///     this event announces are added.
  /// - Returns: The line.
  func line(_ redaction: RecordingRedaction, secretIDs: inout Set<String>) -> [UInt8] {
    var line = LineWriter(redaction: redaction)
    line.raw("call", "\(call)")
    line.raw("ms", Self.milliseconds(time))
    switch content {
    case .request(let request): line.write(request)
    case .response(let response):
      line.string("event", "response")
      line.write(response, &secretIDs)
    case .part(let part):
      line.string("event", "part")
      line.write(part, &secretIDs)
    case .failure(let failure):
      line.string("event", "failure")
      line.string("error", failure.type)
      line.string("message", redaction.text(failure.message))
      if !failure.facts.isEmpty {
        let facts = failure.facts.mapValues { fact in
          fact.stringValue.map { .string(redaction.text($0)) } ?? fact
        }
        line.value("facts", .object(facts))
      }
      if let response = failure.response { line.write(response, &secretIDs) }
    case .end: line.string("event", "end")
    case .cancelled: line.string("event", "cancelled")
    }
    return line.end()
  }

  /// The milliseconds with up to three decimal places, such as "31.7".
  private static func milliseconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let microseconds = max(0, seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
    var text = "\(microseconds / 1_000)"
    guard microseconds % 1_000 > 0 else { return text }
    let fraction = "\(microseconds % 1_000 + 1_000)".dropFirst()
    text += ".\(fraction)"
    while text.last == "0" { text.removeLast() }
    return text
  }
}

/// Writes the members of a line in the order in which a person reads them.
private struct LineWriter {
  let redaction: RecordingRedaction
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  init(redaction: RecordingRedaction) { self.redaction = redaction }

  mutating func end() -> [UInt8] {
    bytes += Array("}\n".utf8)
    return bytes
  }

  private mutating func name(_ name: String) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes += Self.json(.string(name))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func raw(_ name: String, _ text: some Sequence<UInt8>) {
    self.name(name)
    bytes += text
  }

  mutating func raw(_ name: String, _ text: String) { raw(name, text.utf8) }

  mutating func value(_ name: String, _ value: JSONValue) { raw(name, Self.json(value)) }

  mutating func string(_ name: String, _ value: String) { self.value(name, .string(value)) }

  private static func json(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value)
    return writer.bytes
  }

  mutating func headers(_ fields: [String: String]) {
    guard !fields.isEmpty else { return }
    var writer = JSONWriter()
    writer.writeObject(redaction.headers(fields).map { ($0.name, .string($0.value)) })
    raw("headers", writer.bytes)
  }

  mutating func write(_ request: RecordedEvent.Request) {
    string("event", "request")
    string("type", request.type)
    string("operation", request.operation)
    raw("variables", redaction.variables(Self.json(request.variables)))
    headers(request.headers)
    if !request.files.isEmpty { value("files", .array(request.files.map { .string($0) })) }
    if let document = request.document { string("document", redaction.document(document)) }
  }

  mutating func write(_ response: RecordedEvent.Response, _ secretIDs: inout Set<String>) {
    if let status = response.status { raw("status", "\(status)") }
    if let url = response.url { string("url", url) }
    headers(response.headers)
    if response.isPartial { raw("partial", "true") }
    if response.lacksElements { raw("short", "true") }
    if (try? JSONValue(jsonBytes: response.body)) != nil {
      return raw("body", redaction.response(response.body, secretIDs: &secretIDs))
    }
    let body = redaction.body(response.body)
    if let text = String(validatingUTF8Bytes: body) {
      string("text", text)
    } else {
      string("base64", Data(body).base64EncodedString())
    }
  }
}

extension String {
  fileprivate init?(validatingUTF8Bytes bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
