internal import ApolloAPI
import ApolloRecording
public import Foundation

/// An error that was recorded, of a type that a ``ReplayTransport`` cannot make again.
///
/// A `NetworkError` and a `GraphQLHTTPResponseError` are thrown as they were recorded.
public struct ReplayedError: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
  /// The name of the type of the recorded error.
  public let typeName: String
  /// The text of the recorded error.
  public let description: String

  /// The same as ``description``.
  public var errorDescription: String? { description }
}

/// The first difference between a request and a recorded call.
enum RequestDifference: Hashable, Sendable {
  case operation(recorded: String)
  /// A variable, or a value in it. `nil` stands for no value.
  case variable(path: String, recorded: JSONValue?, sent: JSONValue?)
  case document

  /// `true` if the operation is the same and the variables are not.
  var isOfVariables: Bool {
    if case .variable = self { true } else { false }
  }

  /// Finds the first difference: of the operation, of the variables in the order of their names, of
  /// the document.
  init?(_ request: RecordedEvent.Request, _ call: Recording.Call, comparesDocuments: Bool) {
    let recorded = call.request
    if recorded.type != request.type || recorded.operation != request.operation {
      self = .operation(recorded: "\(recorded.type) \(recorded.operation)")
    } else if let found = Self.find(recorded.variables, request.variables, at: "") {
      self = found
    } else if comparesDocuments, let old = recorded.document, let new = request.document,
      old != new, !old.contains(RecordingRedaction.mark)
    {
      self = .document
    } else {
      return nil
    }
  }

  private static func find(
    _ recorded: JSONValue?, _ sent: JSONValue?, at path: String
  ) -> RequestDifference? {
    switch (recorded, sent) {
    // A secret that was `null` is recorded as such: the first page has no token.
    case (.string(RecordingRedaction.mark)?, let value?) where !value.isNull: return nil
    case (.string(let old)?, .string(let new)?) where fits(old, new): return nil
    case (.object(let old)?, .object(let new)?):
      for name in Set(old.keys).union(new.keys).sorted() {
        let path = path.isEmpty ? name : "\(path).\(name)"
        if let found = find(old[name], new[name], at: path) { return found }
      }
      return nil
    case (.array(let old)?, .array(let new)?):
      for index in 0..<max(old.count, new.count) {
        let found = find(
          old.indices.contains(index) ? old[index] : nil,
          new.indices.contains(index) ? new[index] : nil, at: "\(path)[\(index)]")
        if let found { return found }
      }
      return nil
    default:
      return recorded == sent
        ? nil : .variable(path: path, recorded: recorded, sent: sent)
    }
  }

  /// Returns whether a text is a recorded one, in which any text fits a secret.
  private static func fits(_ recorded: String, _ sent: String) -> Bool {
    let parts = recorded.components(separatedBy: RecordingRedaction.mark)
    guard parts.count > 1, sent.hasPrefix(parts[0]) else { return recorded == sent }
    var rest = sent.dropFirst(parts[0].count)
    for part in parts[1..<(parts.count - 1)] where !part.isEmpty {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}

extension ReplayTransport {
  /// The error of a request that does not fit the recording.
  public struct MismatchError: Error, CustomStringConvertible, LocalizedError {
    enum Kind: Hashable, Sendable {
      case noFurtherCall(count: Int)
      case unknownOperation
      case difference(RequestDifference, line: Int)
    }

    /// The name of the operation that was sent.
    public let operationName: String
    /// The line of the file that the request was compared with, or `nil` if there is none.
    public let line: Int?
    /// The path of the first variable that differs, such as `input.tags[1]`, or `nil` if none does.
    public let variable: String?
    private let kind: Kind
    private let type: String
    private let file: String

    init(_ kind: Kind, of request: RecordedEvent.Request, in recording: Recording) {
      operationName = request.operation
      type = request.type
      file = recording.path
      self.kind = kind
      switch kind {
      case .difference(let difference, let line):
        self.line = line
        if case .variable(let path, _, _) = difference { variable = path } else { variable = nil }
      case .noFurtherCall, .unknownOperation: (line, variable) = (nil, nil)
      }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// The first difference and its solution in a sentence each.
    public var description: String {
      switch kind {
      case .noFurtherCall(let count):
        """
        '\(type) \(operationName)' was sent after all \(count) calls of '\(file)' had been played. \
        Record the session again.
        """
      case .unknownOperation:
        """
        '\(type) \(operationName)' is not in '\(file)'. Record the session again.
        """
      case .difference(.operation(let recorded), let line):
        """
        '\(type) \(operationName)' was sent, but '\(recorded)' comes next in '\(file):\(line)'. \
        Record the session again, or use lenient matching, which accepts any order.
        """
      case .difference(.variable(let path, let recorded, let sent), let line):
        """
        '\(type) \(operationName)' was sent with \(Self.text(path, sent)), and recorded with \
        \(Self.text(path, recorded)) in '\(file):\(line)'. Send the recorded value, or record the \
        session again.
        """
      case .difference(.document, let line):
        """
        The document of '\(type) \(operationName)' has changed since it was recorded in \
        '\(file):\(line)'. Record the session again, or use lenient matching, which compares \
        no documents.
        """
      }
    }

    private static func text(_ path: String, _ value: JSONValue?) -> String {
      value.map { "'\(path)' = \($0)" } ?? "no '\(path)'"
    }
  }
}
