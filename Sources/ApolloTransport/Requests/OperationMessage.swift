package import ApolloAPI
import ApolloHashing

/// The members of a GraphQL request.
///
/// GraphQL over HTTP, section 5.1. The same operation always gives the same bytes.
package struct OperationMessage: Sendable {
  /// The form that names the document.
  package enum DocumentForm: Hashable, Sendable {
    case text
    /// By the identifier that was generated with it.
    case registeredIdentifier
    /// By the identifier that was generated with it, as the member `id`.
    case topLevelIdentifier
    /// By its hash, which need not have been generated.
    case identifier
    /// By its hash, with the text for a server that does not know it yet.
    case textAndIdentifier
  }

  package var operationName: String
  package var query: String?
  /// The operation's identifier, if it is a member of its own: a string, unless a program's own
  /// ``RequestCreator`` has made another value.
  package var identifier: JSONValue?
  package var variables: [(String, JSONValue)]
  package var extensions: [(String, JSONValue)]
  /// `true` to name this library at the end of the extensions of a body.
  var namesLibrary = false
  /// The members that GraphQL over HTTP does not describe.
  package var furtherMembers: [(String, JSONValue)] = []
  /// The identifier that was generated with the operation, whether or not it is sent.
  package let generatedIdentifier: String?

  /// - Parameters:
  ///   - operation: The operation with the values of its variables.
  ///   - form: The form that names the document.
  ///   - completion: The query for a part of the operation that is sent in its place, if there is
  ///     one.
  /// - Throws: ``GraphQLHTTPRequestError`` when the generated code does not hold what `form` needs.
  package init(
    _ operation: any GraphQLOperation, form: DocumentForm = .text,
    completion: CompletionQuery? = nil
  ) throws(GraphQLHTTPRequestError) {
    let type = type(of: operation)
    let document = type.operationDocument
    operationName = type.operationName
    if completion != nil, form == .registeredIdentifier || form == .topLevelIdentifier {
      throw .unregisteredPart(operationName: operationName)
    }
    let generatedIdentifier = completion == nil ? document.operationIdentifier : nil
    self.generatedIdentifier = generatedIdentifier
    variables = (completion?.variables(of: operation) ?? operation.sentVariables)
      .map { ($0.name, $0.value) }
    let text = completion?.text ?? document.definition?.queryDocument
    query = form == .text || form == .textAndIdentifier ? text : nil
    extensions = []
    if form == .topLevelIdentifier {
      guard let identifier = generatedIdentifier else {
        throw .missingOperationIdentifier(operationName: operationName)
      }
      self.identifier = .string(identifier)
    } else if form != .text || query == nil {
      // A server that learns a text compares it with the hash. A registered identifier can be any
      // string.
      let hash = form == .registeredIdentifier ? nil : text.map(SHA256.hexadecimalHash)
      guard let identifier = hash ?? generatedIdentifier else {
        throw .missingOperationIdentifier(operationName: operationName)
      }
      extensions = [
        ("persistedQuery", .object(["version": 1, "sha256Hash": .string(identifier)]))
      ]
    }
  }

  /// Returns this message with the parameter `onError`, if there is a behavior.
  package func asking(for behavior: ErrorBehavior?) -> OperationMessage {
    guard let behavior else { return self }
    var message = self
    message.furtherMembers.removeAll { $0.0 == "onError" }
    message.furtherMembers.append(("onError", .string(behavior.rawValue)))
    return message
  }

  /// The request as a JSON object.
  package var json: [UInt8] {
    var writer = JSONWriter(reservingCapacity: (query?.utf8.count ?? 0) + 256)
    writer.raw(#"{"operationName":"#)
    writer.write(operationName)
    if let identifier {
      writer.raw(#","id":"#)
      writer.write(identifier)
    }
    if let query {
      writer.raw(#","query":"#)
      writer.write(query)
    }
    if !variables.isEmpty {
      writer.raw(#","variables":"#)
      writer.writeObject(variables)
    }
    writeExtensions(to: &writer)
    for (name, value) in furtherMembers {
      writer.raw(",")
      writer.write(name)
      writer.raw(":")
      writer.write(value)
    }
    writer.raw("}")
    return writer.bytes
  }

  private func writeExtensions(to writer: inout JSONWriter) {
    guard namesLibrary || !extensions.isEmpty else { return }
    writer.raw(#","extensions":"#)
    guard namesLibrary else { return writer.writeObject(extensions) }
    writer.raw("{")
    for (name, value) in extensions {
      writer.write(name)
      writer.raw(":")
      writer.write(value)
      writer.raw(",")
    }
    writer.raw(#""clientLibrary":"#)
    writer.raw(ClientAwareness.library)
    writer.raw("}")
  }

  /// The request as parameters of a URL, in alphabetical order.
  package var queryParameters: [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    if !extensions.isEmpty { parameters.append(("extensions", text(extensions))) }
    if let identifier { parameters.append(("id", text(identifier))) }
    parameters.append(("operationName", operationName))
    if let query { parameters.append(("query", query)) }
    if !variables.isEmpty { parameters.append(("variables", text(variables))) }
    guard !furtherMembers.isEmpty else { return parameters }
    parameters += furtherMembers.map { ($0.0, text($0.1)) }
    return parameters.sorted { $0.name < $1.name }
  }

  /// Returns a string as it is, and any other value as JSON.
  private func text(_ value: JSONValue) -> String {
    if let text = value.stringValue { return text }
    var writer = JSONWriter()
    writer.write(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func text(_ members: [(String, JSONValue)]) -> String {
    var writer = JSONWriter()
    writer.writeObject(members)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
