import CorpusSupport
import Foundation
import GeneratedCorpus
import GraphQLFakeServer
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

import enum ApolloAPI.JSONValue

/// The responses of servers for the schemas of the reference corpora, to all of their operations.
@Suite(.readsCorpus, .timeLimit(.minutes(15))) struct FakeServerCorpusTests {
  /// An operation, and the document with its fragments that is sent.
  private struct Sent {
    let query: String
    let document: Document
    let operation: OperationDefinition
    let variables: [String: JSONValue]
  }

  @Test(arguments: [
    "execution.json", "real/postgraphile/cases.json", "real", "codegen_fixtures.json", "random",
  ])
  func everyResponseIsValid(corpus: String) throws {
    let units = try Corpora(folder: Corpus.folder).units(of: corpus, longestResponse: 0)
      .filter { !$0.isInvalid }
    var servers: [[String]: FakeServer] = [:]
    var tally = CorpusTally(
      "\(corpus), fake responses",
      knownDifferences: [
        "exec-14d8326773": "has a directive on the definition of a directive, a proposal"
      ])
    for unit in units {
      let key = unit.schema.map(\.text)
      let server: FakeServer
      if let known = servers[key] {
        server = known
      } else {
        let inputs = unit.schema.map {
          SchemaInput(detecting: Source(name: $0.name, text: $0.text))
        }
        do {
          server = try FakeServer(inputs, options: FakeServerOptions(nullShare: 0.1))
          servers[key] = server
        } catch {
          tally.add(unit.id, false, "has a schema with errors: \(error)")
          continue
        }
      }
      for sent in operations(of: unit, server.schema) {
        let problem = problem(of: sent, server)
        tally.add(
          "\(unit.id) \(sent.operation.name.map(sent.document.spelling) ?? "")", problem == nil,
          problem ?? "")
      }
    }
    tally.finish()
  }

  /// The operations that are valid by themselves.
  private func operations(of unit: CorpusUnit, _ schema: Schema) -> [Sent] {
    var document = Document(names: schema.names, sources: schema.document.sources)
    _ = document.parse(unit.documents.map { Source(name: $0.name, text: $0.text) })
    return document.operations.indices.flatMap { index -> [Sent] in
      let id = OperationDefinition.ID(rawValue: UInt32(index))
      let fragments = Self.fragments(of: id, in: document)
      let query = document.printed([.operation(id)] + fragments.map(Definition.fragment))
      var own = Document(names: schema.names, sources: schema.document.sources)
      guard own.parse(Source(name: "sent", text: query)).isEmpty,
        validate(own, against: schema).diagnostics.allSatisfy({ $0.severity != .error }),
        let operation = own.operations.first
      else { return [] }
      // Both branches of each '@include' and '@skip'.
      let hasFlags = own[operation.variables].contains {
        own.spelling($0.type.name) == "Boolean"
      }
      return (hasFlags ? [true, false] : [true]).map { flag in
        let maker = VariableMaker(schema: schema, document: own, flag: flag)
        return Sent(
          query: query, document: own, operation: operation,
          variables: maker.variables(of: operation))
      }
    }
  }

  private static func fragments(
    of operation: OperationDefinition.ID, in document: Document
  ) -> [FragmentDefinition.ID] {
    var found: [FragmentDefinition.ID] = []
    var spans = [document[operation].span]
    while let span = spans.popLast() {
      for spread in document.fragmentSpreads where span.contains(spread.span.start) {
        guard
          let index = document.fragments.firstIndex(where: {
            $0.name.symbol == spread.name.symbol
          })
        else { continue }
        let id = FragmentDefinition.ID(rawValue: UInt32(index))
        guard !found.contains(id) else { continue }
        found.append(id)
        spans.append(document[id].span)
      }
    }
    return found
  }

  private func problem(of sent: Sent, _ server: FakeServer) -> String? {
    let request = FakeServerRequest(sent.query, variables: sent.variables)
    let response = server.respond(to: request)
    var flags: [String: Bool] = [:]
    for variable in sent.document[sent.operation.variables] {
      let name = sent.document.spelling(variable.name)
      flags[name] = sent.variables[name]?.boolValue
      if flags[name] == nil, case .boolean(let value)? = variable.defaultValue?.content {
        flags[name] = value
      }
    }
    var validator = ResponseValidator(server.schema, sent.document, flags: flags)
    guard let part = response.part(at: 0) else { return "has no part" }
    if let problem = validator.problems(of: part.body, to: sent.operation).first { return problem }
    // No field fails, but for types without objects and for the cursors of the variables.
    let errors = (try? JSONValue(jsonBytes: part.body))?["errors"]?.arrayValue ?? []
    let unexpected = errors.compactMap { $0["message"]?.stringValue }.first {
      !$0.hasPrefix("There is no value for a field of the type")
        && !$0.contains("which is no cursor of this server")
    }
    if let unexpected { return "has the error \(unexpected)" }
    // A query again gives the same bytes.
    if sent.operation.kind == .query, server.respond(to: request).text != part.text {
      return "differs the second time"
    }
    // No null without an error that leads to it, unless the type allows it, which was checked.
    for error in errors where error["path"]?.arrayValue?.isEmpty != false {
      return "has an error without a path: \(error)"
    }
    return nil
  }

  /// Every fragment is deferred: merged, the parts are the response without parts.
  @Test(arguments: ["execution.json", "real", "random"])
  func partsFormTheWholeResponse(corpus: String) throws {
    let units = try Corpora(folder: Corpus.folder).units(of: corpus, longestResponse: 0)
      .filter { !$0.isInvalid }
    var tally = CorpusTally("\(corpus), fake responses in parts", knownDifferences: [:])
    var servers: [[String]: FakeServer] = [:]
    for unit in units {
      let key = unit.schema.map(\.text)
      let inputs = unit.schema.map { SchemaInput(detecting: Source(name: $0.name, text: $0.text)) }
      let options = FakeServerOptions(nullShare: 0.1)
      guard let server = servers[key] ?? (try? FakeServer(inputs, options: options)) else {
        continue  // is reported by the other test
      }
      servers[key] = server
      for sent in operations(of: unit, server.schema) where sent.operation.kind == .query {
        let whole = try JSONValue(
          jsonBytes: Array(
            server.respond(to: FakeServerRequest(sent.query, variables: sent.variables)).text.utf8))
        let request = FakeServerRequest(Self.deferring(sent), variables: sent.variables)
        let response = server.respond(to: request, acceptsParts: true)
        // Null reaches another field if an error is in a part.
        guard response.kind == .parts, whole["errors"] == nil else { continue }
        let merged = try Self.merged(response)
        tally.add(
          "\(unit.id) \(sent.operation.name.map(sent.document.spelling) ?? "")",
          merged == whole["data"], "has other parts: \(merged) for \(whole)")
      }
    }
    tally.finish()
  }

  /// Returns the text of an operation with `@defer` behind each fragment.
  private static func deferring(_ sent: Sent) -> String {
    let base = sent.document.sources.span(ofSourceAt: sent.document.sources.sources.count - 1).start
    var positions = sent.document.fragmentSpreads.map { Int($0.name.span.end - base) }
    positions += sent.document.inlineFragments.compactMap { fragment in
      fragment.typeCondition.map { Int($0.span.end - base) }
    }
    var bytes = Array(sent.query.utf8)
    for position in positions.sorted(by: >) {
      bytes.insert(contentsOf: " @defer ".utf8, at: position)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Merges the parts of a response.
  private static func merged(_ response: FakeServerResponse) throws -> JSONValue {
    var data = JSONValue.null
    for (index, part) in response.parts.enumerated() {
      let json = try JSONValue(jsonBytes: part.body)
      if index == 0 { data = json["data"] ?? .null }
      for change in json["incremental"]?.arrayValue ?? [] {
        let path = change["path"]?.arrayValue ?? []
        data = adding(change["data"] ?? .null, to: data, at: path[...])
      }
    }
    return data
  }

  private static func adding(
    _ part: JSONValue, to value: JSONValue, at path: ArraySlice<JSONValue>
  ) -> JSONValue {
    switch (value, path.first) {
    case (.object(let members), nil):
      guard case .object(let new) = part else { return value }
      return .object(members.merging(new) { merged($0, $1) })
    case (.object(var members), .string(let key)?):
      members[key] = adding(part, to: members[key] ?? .null, at: path.dropFirst())
      return .object(members)
    case (.array(var items), .int(let index)?):
      items[Int(index)] = adding(part, to: items[Int(index)], at: path.dropFirst())
      return .array(items)
    default: return value
    }
  }

  /// Merges two values of one field, of which each has a part of the selections.
  private static func merged(_ first: JSONValue, _ second: JSONValue) -> JSONValue {
    switch (first, second) {
    case (.object(let old), .object(let new)): .object(old.merging(new) { merged($0, $1) })
    case (.array(let old), .array(let new)) where old.count == new.count:
      .array(zip(old, new).map { merged($0, $1) })
    default: second
    }
  }

  /// Models read the responses: the layouts of generated code are interpreted.
  @Test(arguments: ["execution.json", "real/postgraphile/cases.json", "real"])
  func modelsReadTheResponses(corpus: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fake-\(UUID())", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // nothing depends on it
    var generator = UnitGenerator(scratch: folder)
    var tally = CorpusTally("\(corpus), fake responses read by models", knownDifferences: [:])
    let units = try Corpora(folder: Corpus.folder).units(of: corpus, longestResponse: 20_000)
      .filter { !$0.isInvalid }.enumerated()
      .filter { index, unit in unit.isShort || index % 20 == 0 }.map(\.element)
    for (index, unit) in CorpusUnit.joined(units, upTo: 100_000).enumerated() {
      let generated = try generator.generate(unit, namespace: "F\(index)") { _, _ in }
      guard let generated else { continue }
      let inputs = unit.schema.map { SchemaInput(detecting: Source(name: $0.name, text: $0.text)) }
      guard let server = try? FakeServer(inputs, options: FakeServerOptions(nullShare: 0.1)) else {
        tally.add(unit.id, false, "has a schema with errors")
        continue
      }
      let models = InterpretedModels(generated)
      for sent in operations(of: unit, server.schema) {
        guard let name = sent.operation.name.map(sent.document.spelling) else { continue }
        let response = server.respond(
          to: FakeServerRequest(sent.query, variables: sent.variables))
        let value = try JSONValue(jsonBytes: response.part(at: 0)?.body ?? [])
        guard value["data"]?.isNull == false else { continue }
        let made = CorpusCase(
          id: name, operationName: name, variables: sent.variables, response: value)
        guard let request = CheckRequest(made, in: generated) else { continue }
        let problem =
          request.misfits == 0
          ? models.problem(with: request) : "has \(request.misfits) misfits"
        tally.add("\(unit.id) \(name)", problem == nil, problem ?? "")
      }
    }
    tally.finish()
  }
}

extension CorpusUnit {
  /// `true` if the generation takes little time.
  fileprivate var isShort: Bool {
    documents.reduce(0) { $0 + $1.text.utf8.count } < 1000
      && schema.reduce(0) { $0 + $1.text.utf8.count } < 20_000
  }
}
