import ApolloCodegenLib
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation

/// An operation that `run` sends, with the fragments that it spreads.
struct RunOperation {
  private(set) var kind: OperationKind
  let name: String?
  /// The operation and its fragments.
  private var text: String
  /// The variables that the text does not have, because only directives for the client use them.
  private var variablesForClient: Set<String> = []
  /// The operation and its fragments, or `nil` without a schema.
  private(set) var validated: ValidatedDocument?

  /// Reads an operation, and checks it against the schema of the project.
  ///
  /// 1. Parse the file, and choose the operation.
  /// 2. Find the fragments that it spreads, in the file or in other files of the project.
  /// 3. Validate the files with both, and check the directives of the client, if the project has a
  ///    schema.
  ///
  /// - Parameters:
  ///   - path: The file, or `-` for standard input.
  ///   - wanted: The name of the operation, or `nil` for the only one.
  ///   - file: The configuration of the project, or `nil` if there is none.
  /// - Throws: ``CommandFailure`` if the file or the choice of the operation is wrong. Errors of
  ///   the operation are shown, and the result is `nil`.
  init?(
    at path: String, named wanted: String?, in file: ConfigurationFile?
  ) throws(CommandFailure) {
    let named = try InputFiles.operations.read([path])
    let project = try Self.project(file)
    let options =
      file?.configuration.schemaOptions ?? ApolloCodegenConfiguration.standardSchemaOptions
    let schema = project.map { Schema.build($0.schema, options: options) }
    var document = Document()
    let problems = document.parse(named, options: options.parser).filter { $0.severity == .error }
    guard problems.isEmpty else {
      Terminal.show(problems, in: document.sources)
      return nil
    }
    let operation = try Self.operation(wanted, of: document, at: path)
    let taken = Set(named.map { absolute($0.name) })
    let others = (project?.operations ?? [])
      .map { $0.renamed(from: file?.rootFolder ?? "") }
      .filter { !taken.contains(absolute($0.name)) && !$0.isBlank }
    // Only those files matter whose fragments are spread; others may have errors.
    _ = document.parse(others, options: options.parser)
    let fragments = Self.fragments(of: operation, in: document)
    if let schema {
      guard schema.isUsable else {
        throw CommandFailure(
          "The project's schema has errors; 'apollo-cli validate' shows them.", code: .inputErrors)
      }
      let files = Set(fragments.map { document.sources.sourceIndex(at: document[$0].span.start) })
      let check = OperationCheck(
        named + files.sorted().filter { $0 >= named.count }.map { others[$0 - named.count] },
        options.parser,
        file?.configuration.validation ?? ApolloCodegenConfiguration.standardValidation,
        against: schema.schema, isSent: true)
      guard check.errors.isEmpty else {
        Terminal.show(check.errors, in: check.document.sources)
        return nil
      }
      validated = check.validated
    }
    kind = document[operation].kind
    name = document[operation].name.map(document.spelling)
    if let validated {
      // The files with the operation come first in both documents.
      text = validated.requestText(of: operation)
      variablesForClient = validated.variablesForClient(of: operation)
    } else {
      // Without a schema, directives of the server cannot be told from those for the client.
      document.removeExecutableDescriptions()
      text = document.printed([.operation(operation)] + fragments.map(Definition.fragment))
    }
  }

  /// The files of a project that concern an operation.
  private struct Files {
    let schema: [SchemaInput]
    let operations: [Source]
  }

  /// Returns the files of a project, or `nil` if it has none, or no schema yet. It may have no
  /// operations: the one that is sent can be anywhere.
  private static func project(_ file: ConfigurationFile?) throws(CommandFailure) -> Files? {
    guard let file else { return nil }
    do {
      let schema = try ProjectFiles.readSchema(
        file.configuration, root: file.rootFolder, Environment.fileSystem)
      let found = ProjectFiles.readAvailable(
        file.configuration, root: file.rootFolder, Environment.fileSystem)
      return Files(schema: ProjectFiles.schemaInputs(of: schema), operations: found.operations)
    } catch {
      Terminal.note("The operation is not checked: \(error)")
      return nil
    }
  }

  private static func operation(
    _ wanted: String?, of document: Document, at path: String
  ) throws(CommandFailure) -> OperationDefinition.ID {
    let all = document.operations.indices.map { OperationDefinition.ID(rawValue: UInt32($0)) }
    let names = document.operations.compactMap { $0.name.map(document.spelling) }
    guard let wanted else {
      guard all.count == 1 else {
        throw CommandFailure(
          all.isEmpty
            ? "'\(path)' has no operation."
            : "'\(path)' has \(all.count) operations. Choose one with --operation: "
              + "\(names.joined(separator: ", ")).")
      }
      return all[0]
    }
    guard let found = all.first(where: { document[$0].name.map(document.spelling) == wanted })
    else {
      let hint = Spelling.nearest(to: wanted, in: names)
      throw CommandFailure(
        "'\(path)' has no operation '\(wanted)'.\(hint.map { " Did you mean '\($0)'?" } ?? "")")
    }
    return found
  }

  /// Returns the fragments that an operation spreads, also through others, in the order in which
  /// they are found.
  private static func fragments(
    of operation: OperationDefinition.ID, in document: Document
  ) -> [FragmentDefinition.ID] {
    var byName: [String: FragmentDefinition.ID] = [:]
    for index in document.fragments.indices.reversed() {
      byName[document.spelling(document.fragments[index].name)] =
        FragmentDefinition.ID(rawValue: UInt32(index))
    }
    var found: [FragmentDefinition.ID] = []
    var spans = [document[operation].span]
    while let span = spans.popLast() {
      for spread in document.fragmentSpreads where span.contains(spread.span.start) {
        guard let fragment = byName[document.spelling(spread.name)], !found.contains(fragment)
        else { continue }
        found.append(fragment)
        spans.append(document[fragment].span)
      }
    }
    return found
  }

  /// The document that is sent.
  mutating func send(_ document: String) { text = document }

  /// Returns the request for the operation.
  func request(
    to url: String, variables: String?, _ settings: ApolloCodegenConfiguration.SchemaDownload
  ) -> SchemaRequest {
    var members = ["\"query\":\(JSONLiteral.string(text))"]
    if let name { members.append("\"operationName\":\(JSONLiteral.string(name))") }
    if let variables { members.append("\"variables\":\(sent(variables))") }
    var headers = settings.headers
    headers.append(.init(key: "Content-Type", value: "application/json"))
    if !headers.contains(where: { $0.key.lowercased() == "accept" }) {
      headers.append(.init(key: "Accept", value: accept))
    }
    return SchemaRequest(
      url: url, method: "POST", headers: headers,
      body: Array("{\(members.joined(separator: ","))}".utf8),
      timeout: settings.timeout)
  }

  /// Returns a JSON object of variables without those that are not sent: some servers refuse values
  /// of variables that the operation does not declare.
  private func sent(_ variables: String) -> String {
    // The command has checked the text.
    guard !variablesForClient.isEmpty,
      let members = try? IndexedJSON(Array(variables.utf8)).root.members
    else { return variables }
    let kept = members.filter { !variablesForClient.contains($0.key.string ?? "") }
    let texts = kept.map { key, value in
      "\(String(decoding: key.source, as: UTF8.self)):"
        + String(decoding: value.source, as: UTF8.self)
    }
    return "{\(texts.joined(separator: ","))}"
  }

  private var accept: String {
    kind == .subscription
      ? "multipart/mixed;subscriptionSpec=1.0, text/event-stream, application/json;q=0.5"
      : "application/graphql-response+json, application/json;q=0.9"
  }
}
