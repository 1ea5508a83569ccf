internal import ApolloAPI
public import Foundation

/// The error of a recording that cannot be read. Its text names the file, the line and the problem.
public struct RecordingFormatError: Error, Hashable, Sendable, CustomStringConvertible,
  LocalizedError
{
  /// The path of the file.
  public let file: String
  /// The number of the line, from 1 on.
  public let line: Int
  /// The problem, as a clause.
  package let problem: String

  package init(file: String, line: Int, problem: String) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// A sentence with the position, and the solution.
  public var description: String {
    "\(file):\(line): \(problem). Record the session again, or correct the line."
  }
}

extension RecordedEvent {
  /// The problem of a line, as a clause.
  fileprivate struct Problem: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }

  /// Reads the events of a recording, each with the number of its line.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file.
  ///   - file: The path of the file, for errors.
  /// - Returns: The events in the order of the file. A last line that was cut, as by a program that
  ///   ended while it was written, is not among them.
  /// - Throws: ``RecordingFormatError`` for the first line that is wrong.
  package static func read(
    _ bytes: [UInt8], file: String
  ) throws(RecordingFormatError) -> [(line: Int, event: RecordedEvent)] {
    var events: [(line: Int, event: RecordedEvent)] = []
    var hasHeader = false
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      do {
        if hasHeader {
          events.append((index + 1, try RecordedEvent(line: Array(line))))
        } else {
          try checkHeader(Array(line))
          hasHeader = true
        }
      } catch {
        let isCut = index == lines.count - 1 && (try? JSONValue(jsonBytes: Array(line))) == nil
        if isCut, hasHeader { break }
        throw RecordingFormatError(file: file, line: index + 1, problem: error.text)
      }
    }
    guard hasHeader else {
      throw RecordingFormatError(file: file, line: 1, problem: "the file is empty")
    }
    return events
  }

  private static func checkHeader(_ line: [UInt8]) throws(Problem) {
    guard let value = try? JSONValue(jsonBytes: line), value["format"] == "apollo-recording" else {
      throw Problem("the file is no recording: its first line is another than that of recordings")
    }
    guard value["version"] == 1 else {
      throw Problem("the recording has a version that this library does not know")
    }
  }

  private init(line: [UInt8]) throws(Problem) {
    let value: JSONValue
    do {
      value = try JSONValue(jsonBytes: line)
    } catch {
      throw Problem("the line is no JSON")
    }
    guard let call = value["call"]?.intValue else { throw Problem("'call' has no number") }
    guard let milliseconds = value["ms"]?.doubleValue, (0...1e12).contains(milliseconds) else {
      throw Problem("'ms' has no time in milliseconds")
    }
    let content: Content
    switch value["event"]?.stringValue {
    case "request": content = .request(try Request(value))
    case "response": content = .response(try Response(value, line))
    case "part": content = .part(try Response(value, line))
    case "failure": content = .failure(try Failure(value, line))
    case "end": content = .end
    case "cancelled": content = .cancelled
    default: throw Problem("'event' is none of request, response, part, failure, end and cancelled")
    }
    self.init(
      call: call, time: .microseconds(Int64((milliseconds * 1_000).rounded())), content)
  }
}

extension RecordedEvent.Request {
  fileprivate init(_ value: JSONValue) throws(RecordedEvent.Problem) {
    guard let operation = value["operation"]?.stringValue else {
      throw RecordedEvent.Problem("'operation' has no name")
    }
    guard let type = value["type"]?.stringValue else {
      throw RecordedEvent.Problem("'type' has no kind of operation")
    }
    let variables = value["variables"] ?? [:]
    guard variables.objectValue != nil else {
      throw RecordedEvent.Problem("'variables' has no object")
    }
    self.init(
      type: type, operation: operation, variables: variables, headers: value.headers,
      files: value["files"]?.arrayValue?.compactMap(\.stringValue) ?? [],
      document: value["document"]?.stringValue)
  }
}

extension RecordedEvent.Response {
  fileprivate init(_ value: JSONValue, _ line: [UInt8]) throws(RecordedEvent.Problem) {
    let body: [UInt8]
    if let json = JSONText(line).members()["body"] {
      body = Array(json)
    } else if let text = value["text"]?.stringValue {
      body = Array(text.utf8)
    } else if let data = value["base64"]?.stringValue.flatMap({ Data(base64Encoded: $0) }) {
      body = Array(data)
    } else {
      throw RecordedEvent.Problem("there is no 'body' of the response")
    }
    self.init(
      status: value["status"]?.intValue, url: value["url"]?.stringValue, headers: value.headers,
      isPartial: value["partial"]?.boolValue ?? false,
      lacksElements: value["short"]?.boolValue ?? false, body: body)
  }
}

extension RecordedEvent.Failure {
  fileprivate init(_ value: JSONValue, _ line: [UInt8]) throws(RecordedEvent.Problem) {
    self.init(
      type: value["error"]?.stringValue ?? "", message: value["message"]?.stringValue ?? "",
      facts: value["facts"]?.objectValue ?? [:],
      response: value["status"] == nil ? nil : try RecordedEvent.Response(value, line))
  }
}

extension JSONValue {
  fileprivate var headers: [String: String] {
    self["headers"]?.objectValue?.compactMapValues(\.stringValue) ?? [:]
  }
}
