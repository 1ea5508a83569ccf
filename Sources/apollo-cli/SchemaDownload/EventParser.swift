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

  /// The meaning of the bytes at the beginning of the buffer, in a multipart response.
  private enum Position {
    /// They are in front of the first boundary.
    case preamble
    /// They are a part whose response has not been delivered.
    case part
    /// They are a part whose response was delivered before the next boundary was complete.
    case deliveredPart
  }

  private let format: Format
  /// The bytes that are not yet parsed.
  private var buffer: [UInt8]
  /// `true` until the first line of the server-sent events is read.
  private var isFirstLine = true
  /// `true` if the last line ended with a carriage return; a line feed behind it belongs to it.
  private var isAfterCarriageReturn = false
  /// The data of the server-sent event that is being read.
  private var data: [UInt8]?
  private var eventName = ""
  private var position = Position.preamble
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
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var events: [[UInt8]] = []
    while !isAtEnd, let first = buffer.first {
      if isAfterCarriageReturn {
        isAfterCarriageReturn = false
        if first == lineFeed { buffer.removeFirst() }
      }
      guard let end = buffer.firstIndex(where: { $0 == lineFeed || $0 == carriageReturn }) else {
        break
      }
      isAfterCarriageReturn = buffer[end] == carriageReturn
      var line = buffer[..<end]
      let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
      if isFirstLine, line.starts(with: byteOrderMark) { line.removeFirst(byteOrderMark.count) }
      isFirstLine = false
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
    while !isAtEnd {
      let boundary = buffer.firstRange(of: delimiter)
      // The server need not send the next boundary, or its end, before it has the next event.
      if position == .part,
        let response = response(ofPart: buffer[..<(boundary?.lowerBound ?? endBefore(delimiter))])
      {
        events.append(response)
        position = .deliveredPart
      }
      // Two more bytes decide whether this is the last boundary.
      guard let boundary, buffer.count >= boundary.upperBound + 2 else { break }
      isAtEnd = buffer[boundary.upperBound...].starts(with: "--".utf8)
      buffer.removeSubrange(..<boundary.upperBound)
      position = .part
    }
    return events
  }

  /// Returns the end of the bytes that cannot belong to the next boundary.
  private func endBefore(_ delimiter: [UInt8]) -> Int {
    let begun = (1..<delimiter.count).last { buffer.suffix($0).elementsEqual(delimiter.prefix($0)) }
    return buffer.endIndex - (begun ?? 0)
  }

  /// Returns the response in a part, if it is complete and no heartbeat.
  ///
  /// `payload` is the response, in Apollo's protocol. Errors beside it end the subscription, and
  /// are returned with it.
  private func response(ofPart bytes: ArraySlice<UInt8>) -> [UInt8]? {
    guard let headers = bytes.firstRange(of: Array("\r\n\r\n".utf8)),
      let root = try? IndexedJSON(Array(bytes[headers.upperBound...])).root, root.kind == .object
    else { return nil }
    let hasErrors = root["errors"]?.items?.isEmpty == false
    if !hasErrors, let payload = root["payload"], payload.kind != .null {
      return payload.kind == .object ? Array(payload.source) : Array(root.source)
    }
    // Some parts of a response with `@defer` have `hasNext` alone.
    let isResponse = root["data"] != nil || root["errors"] != nil || root["hasNext"] != nil
    return isResponse ? Array(root.source) : nil
  }
}
