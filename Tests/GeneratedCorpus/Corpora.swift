import ApolloAPI
package import Foundation
import RandomProjects

/// Reads the corpora of a folder. Files that are not there are left out: there may be more corpora
/// of the same kinds elsewhere.
package struct Corpora {
  private let folder: URL

  /// - Parameter folder: where the corpora lie.
  package init(folder: URL) { self.folder = folder }

  /// The units that concern generated code.
  ///
  /// - Parameters:
  ///   - corpus: a corpus, such as `execution.json`; all of them when `nil`.
  ///   - byteCount: how long a recorded response of a real project may be.
  /// - Returns: the units, in the order of the corpora.
  /// - Throws: what reading files throws.
  package func units(
    of corpus: String? = nil, longestResponse byteCount: Int = .max
  ) throws -> [CorpusUnit] {
    let corpora: [(name: String, read: () throws -> [CorpusUnit])] = [
      ("execution.json", execution), ("malformed_responses.json", malformed),
      ("real/postgraphile/cases.json", postgraphile),
      ("real", { try realProjects(longestResponse: byteCount) }),
      ("codegen_fixtures.json", fixtures), ("random", randomProjects),
    ]
    return try corpora.filter { corpus == nil || $0.name == corpus }.flatMap { try $0.read() }
  }

  private func json(_ name: String) throws -> JSONValue? {
    let url = folder.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: url.path) else {
      return nil
    }
    return try JSONValue(jsonBytes: Data(contentsOf: url), limits: ResponseLimits(depth: 10_000))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
  }

  // MARK: - One document a case

  private func execution() throws -> [CorpusUnit] {
    try documents(of: "execution.json") { value in
      // Chains of 10,000 fragments, on which the reference implementation ran out of stack: nothing
      // is known about them.
      if value["validation_errors"]?.arrayValue == ["Validation aborted."] { return nil }
      // What validation refuses can only be asked of an executor.
      if value["tags"]?.arrayValue?.contains("document_is_invalid") == true { return .noCode }
      return value["response"]?["data"].map { $0.isNull ? .noData : .data } ?? .noData
    }
  }

  private func malformed() throws -> [CorpusUnit] {
    try documents(of: "malformed_responses.json") { value in
      switch value["expected"]?.stringValue?.prefix(6) {
      case "accept": .data
      case "error": .failure
      default: .either
      }
    }
  }

  /// The cases of a file by schema and document, which many share. Those of which nothing is
  /// expected are left out.
  private func documents(
    of name: String, _ expectation: (JSONValue) -> CorpusCase.Expectation?
  ) throws -> [CorpusUnit] {
    guard let corpus = try json(name) else { return [] }
    var units: [CorpusUnit] = []
    var positions: [[String]: Int] = [:]
    for value in corpus["cases"]?.arrayValue ?? [] {
      guard let id = value["id"]?.stringValue, let schema = value["schema"]?.stringValue,
        let document = value["document"]?.stringValue,
        let sdl = corpus["schemas"]?[schema]?.stringValue, let expectation = expectation(value)
      else { continue }
      let position = positions[[schema, document]] ?? units.count
      if position == units.count {
        positions[[schema, document]] = position
        units.append(
          CorpusUnit(
            corpus: name, id: id, schema: [("schema.graphqls", sdl)],
            documents: [.init(name: "document.graphql", text: document, origin: id)]))
      }
      units[position].cases.append(
        CorpusCase(
          id: id, operationName: value["operation_name"]?.stringValue,
          variables: value["variables"]?.objectValue ?? [:], response: value["response"],
          expectation: expectation))
    }
    return units
  }

  private func postgraphile() throws -> [CorpusUnit] {
    let name = "real/postgraphile/cases.json"
    guard let corpus = try json(name) else { return [] }
    return try (corpus["cases"]?.arrayValue ?? []).compactMap { value in
      guard let id = value["id"]?.stringValue, let document = value["document"]?.stringValue,
        let schema = value["schema_file"]?.stringValue
      else { return nil }
      let data = value["response"]?["data"] ?? .null
      return CorpusUnit(
        corpus: name, id: id,
        schema: [("schema.graphqls", try text("real/postgraphile/\(schema)"))],
        documents: [.init(name: "document.graphql", text: document, origin: id)],
        cases: [
          CorpusCase(
            id: id, variables: value["variables"]?.objectValue ?? [:], response: value["response"],
            expectation: data.isNull ? .noData : .data)
        ])
    }
  }

  // MARK: - Real projects

  /// The operations of real projects, with the responses that there are to them.
  private func realProjects(longestResponse byteCount: Int) throws -> [CorpusUnit] {
    var units = try realFiles()
    var filesOfProjects: [String: [String: String]] = [:]
    for value in try json("real/responses/index.json")?["responses"]?.arrayValue ?? [] {
      guard let project = value["project"]?.stringValue,
        let operation = value["operation"]?.stringValue,
        let file = value["response_file"]?.stringValue, value["bytes"]?.intValue ?? 0 <= byteCount
      else { continue }
      let response = try json("real/responses/\(file)")
      let added = CorpusCase(
        id: "real/responses/\(file)", operationName: operation,
        variables: value["variables"]?.objectValue ?? [:], response: response,
        expectation: response?["data"]?.isNull == false ? .data : .noData)
      let filesOfOperations = try filesOfProjects[project] ?? self.files(of: project)
      filesOfProjects[project] = filesOfOperations
      let files = [project, filesOfOperations[operation].map { "\(project)/\($0)" }]
      if let position = units.firstIndex(where: { files.contains($0.id) }) {
        units[position].cases.append(added)
      } else {
        units.append(try unit(of: value, project, added))
      }
    }
    return units
  }

  /// The document that lies beside a response, for an operation that the project does not have.
  private func unit(
    of value: JSONValue, _ project: String, _ response: CorpusCase
  ) throws -> CorpusUnit {
    let document = value["document_file"]?.stringValue ?? ""
    let schema = value["schema_file"]?.stringValue ?? ""
    return CorpusUnit(
      corpus: "real", id: "\(project)/\(response.id)",
      schema: [("schema.graphqls", try text("real/responses/\(schema)"))],
      documents: [
        .init(
          name: "document.graphql", text: try text("real/responses/\(document)"),
          origin: document)
      ],
      cases: [response])
  }

  /// The files of a project by the operations that they have.
  private func files(of project: String) throws -> [String: String] {
    let operations = try json("real/\(project)/expected.json")?["operations"]?.arrayValue ?? []
    return operations.reduce(into: [:]) { files, operation in
      guard let name = operation["name"]?.stringValue else { return }
      files[name] = files[name] ?? operation["file"]?.stringValue
    }
  }

  /// Operations without responses: one unit for each project, or for each file where projects say
  /// so.
  private func realFiles() throws -> [CorpusUnit] {
    var units: [CorpusUnit] = []
    for project in try json("real/index.json")?["projects"]?.arrayValue ?? [] {
      guard let name = project["name"]?.stringValue, let unit = project["unit"]?.stringValue,
        FileManager.default.fileExists(
          atPath: folder.appendingPathComponent("real/\(name)/schema.graphql").path)
      else { continue }
      let schema = [("schema.graphqls", try text("real/\(name)/schema.graphql"))]
      let invalid = try invalidFiles(of: name)
      let operations = folder.appendingPathComponent("real/\(name)/operations")
      let documents = try FileManager.default.subpathsOfDirectory(atPath: operations.path).sorted()
        .filter { $0.hasSuffix(".graphql") && !invalid.contains($0) }
        .map { file in
          CorpusUnit.Document(
            name: file, text: try text("real/\(name)/operations/\(file)"),
            origin: "\(name)/\(file)")
        }
      if unit == "project" {
        units.append(
          CorpusUnit(corpus: "real", id: name, schema: schema, documents: documents))
      } else {
        units += documents.map { document in
          CorpusUnit(
            corpus: "real", id: "\(name)/\(document.name)", schema: schema, documents: [document])
        }
      }
    }
    return units
  }

  /// The files with operations that the reference implementation refuses.
  private func invalidFiles(of project: String) throws -> Set<String> {
    let operations = try json("real/\(project)/expected.json")?["operations"]?.arrayValue ?? []
    return Set(
      operations.filter { $0["valid"]?.boolValue == false }.compactMap { $0["file"]?.stringValue })
  }

  /// The fixtures of other generators.
  private func fixtures() throws -> [CorpusUnit] {
    guard let corpus = try json("codegen_fixtures.json") else { return [] }
    return (corpus["cases"]?.arrayValue ?? []).compactMap { value in
      guard value["valid"]?.boolValue == true, let id = value["id"]?.stringValue,
        let schema = value["schema"]?.stringValue, let sdl = corpus["schemas"]?[schema]?.stringValue
      else { return nil }
      let documents = (value["documents"]?.arrayValue ?? []).enumerated().map { index, document in
        CorpusUnit.Document(
          name: "\(index).graphql", text: document["text"]?.stringValue ?? "", origin: id)
      }
      return CorpusUnit(
        corpus: "codegen_fixtures.json", id: id, schema: [("schema.graphqls", sdl)],
        documents: documents)
    }
  }

  // MARK: - Made-up projects

  /// Projects whose names collide, as many as the environment asks for; those that have no code
  /// that could be asked for are left out.
  private func randomProjects() -> [CorpusUnit] {
    RandomProject.asked(60).compactMap { project in
      // What makes up responses knows of no key fields that are added, and of nothing that is not
      // sent.
      let unknown = ["@typePolicy", "@defer", "localCacheMutation"]
      guard !unknown.contains(where: (project.schema + project.operations).contains) else {
        return nil
      }
      return CorpusUnit(
        corpus: "random", id: "random \(project.seed)",
        schema: [("schema.graphqls", project.schema)],
        documents: [
          .init(
            name: "operations.graphql", text: project.operations, origin: "random \(project.seed)")
        ])
    }
  }
}
