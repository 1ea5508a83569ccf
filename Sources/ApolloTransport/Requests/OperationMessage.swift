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
    /// By its hash, which need not have been generated.
    case identifier
    /// By its hash, with the text for a server that does not know it yet.
    case textAndIdentifier
  }

  package var operationName: String
  package var query: String?
  package var variables: [(String, JSONValue)]
  package var extensions: [(String, JSONValue)]

  /// - Throws: ``GraphQLHTTPRequestError`` when the generated code does not hold what `form` needs.
  package init(
    _ operation: any GraphQLOperation, form: DocumentForm = .text
  ) throws(GraphQLHTTPRequestError) {
    let type = type(of: operation)
    let document = type.operationDocument
    operationName = type.operationName
    variables = operation.__variables?.fields.map { ($0.name, $0.value) } ?? []
    let text = document.definition?.queryDocument
    query = form == .text || form == .textAndIdentifier ? text : nil
    extensions = []
    if form != .text || query == nil {
      let hash = form == .registeredIdentifier ? nil : text.map(SHA256.hexadecimal)
      guard let identifier = document.operationIdentifier ?? hash else {
        throw .missingOperationIdentifier(operationName: operationName)
      }
      extensions = [
        ("persistedQuery", .object(["version": 1, "sha256Hash": .string(identifier)]))
      ]
    }
  }

  /// The request as a JSON object.
  package var json: [UInt8] {
    var writer = JSONWriter(reservingCapacity: (query?.utf8.count ?? 0) + 256)
    writer.raw(#"{"operationName":"#)
    writer.write(operationName)
    if let query {
      writer.raw(#","query":"#)
      writer.write(query)
    }
    if !variables.isEmpty {
      writer.raw(#","variables":"#)
      writer.writeObject(variables)
    }
    if !extensions.isEmpty {
      writer.raw(#","extensions":"#)
      writer.writeObject(extensions)
    }
    writer.raw("}")
    return writer.bytes
  }

  /// The request as parameters of a URL, in alphabetical order.
  package var queryParameters: [(name: String, value: String)] {
    var parameters: [(name: String, value: String)] = []
    if !extensions.isEmpty { parameters.append(("extensions", text(extensions))) }
    parameters.append(("operationName", operationName))
    if let query { parameters.append(("query", query)) }
    if !variables.isEmpty { parameters.append(("variables", text(variables))) }
    return parameters
  }

  private func text(_ members: [(String, JSONValue)]) -> String {
    var writer = JSONWriter()
    writer.writeObject(members)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
