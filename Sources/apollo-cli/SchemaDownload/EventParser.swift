import GraphQLSyntax

/// A parser for the events of a subscription over HTTP: server-sent events, or the parts of a
/// multipart response.
struct EventParser {
  private enum Format {
    case serverSentEvents
    /// The bytes in front of each part: a line break and the boundary.
    case multipart(delimiter: [UInt8])
    case other
  }

  private let format: Format
  /// The bytes that are not yet parsed.
  private var buffer: [UInt8]
  /// The data of the server-sent event that is being read.
  private var data: [UInt8]?
  private var eventName = ""
  /// `true` if the part at the beginning of the buffer has been delivered before its end arrived.
  private var isDelivered = false
  /// `true` once the server has ended the subscription.
  private(set) var isAtEnd = false

  init(contentType: String?) {
    let fields = (contentType ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
    buffer = []
    switch fields.first?.lowercased() {
    case "text/event-stream": format = .serverSentEvents
    case "multipart/mixed":
      let boundary =
        fields.first { $0.lowercased().hasPrefix("boundary=") }?
        .dropFirst("boundary=".count) ?? "-"
      format = .multipart(delimiter: Array("\r\n--\(boundary.filter { $0 != "\"" })".utf8))
      // The first boundary needs no line break in front of it.
      buffer = Array("\r\n".utf8)
    default: format = .other
    }
  }

  /// `true` if the response is one of events; otherwise it is a single response.
  var hasEvents: Bool {
    if case .other = format { false } else { true }
  }

  /// Returns the responses that are complete with these bytes.
  mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
    buffer += bytes
    return switch format {
    case .serverSentEvents: serverSentEvents()
    case .multipart(let delimiter): parts(delimiter)
    case .other: []
    }
  }

  // MARK: - Server-sent events

  private mutating func serverSentEvents() -> [[UInt8]] {
    var events: [[UInt8]] = []
    while !isAtEnd, let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
      var line = buffer[..<end]
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      if let event = read(line) { events.append(event) }
      buffer.removeSubrange(...end)
    }
    return events
  }

  /// Reads a line, and returns the event that it completes.
  private mutating func read(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard !line.isEmpty else {
      defer { (data, eventName) = (nil, "") }
      if eventName == "complete" { isAtEnd = true }
      return eventName == "complete" || data?.isEmpty != false ? nil : data
    }
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    var value = line.dropFirst(name.count + 1)
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    switch String(decoding: name, as: UTF8.self) {
    case "data": data = data.map { $0 + [UInt8(ascii: "\n")] + value } ?? Array(value)
    case "event": eventName = String(decoding: value, as: UTF8.self)
    default: break  // a comment, or a field that GraphQL does not use
    }
    return nil
  }

  // MARK: - Parts

  private mutating func parts(_ delimiter: [UInt8]) -> [[UInt8]] {
    var events: [[UInt8]] = []
    while !isAtEnd, let start = buffer.firstRange(of: delimiter) {
      // The part before this boundary; nothing but a preamble is before the first one.
      if start.lowerBound > 0, let event = part(buffer[..<start.lowerBound]) {
        events.append(event)
      }
      let after = buffer[start.upperBound...]
      if after.starts(with: "--".utf8) { isAtEnd = true }
      // More bytes decide whether this is the last boundary.
      guard after.count >= 2 || isAtEnd else { break }
      buffer.removeSubrange(..<start.upperBound)
      isDelivered = false
    }
    // A server need not send the next boundary before it has the next event.
    if !isAtEnd, let event = part(buffer[...]) {
      isDelivered = true
      events.append(event)
    }
    return events
  }

  /// Returns the response in a part, if it is complete, new and no heartbeat.
  private func part(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard !isDelivered, let headers = bytes.firstRange(of: Array("\r\n\r\n".utf8)),
      let root = try? IndexedJSON(Array(bytes[headers.upperBound...])).root, root.kind == .object
    else { return nil }
    guard let payload = root["payload"] else {
      return root["data"] == nil && root["errors"] == nil ? nil : Array(root.source)
    }
    return payload.kind == .object ? Array(payload.source) : Array(root.source)
  }
}
