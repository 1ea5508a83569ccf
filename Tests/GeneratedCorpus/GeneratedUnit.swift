import ApolloAPI
package import ApolloCodegenLib
package import Foundation
package import GraphQLSchema
package import GraphQLSyntax
import GraphQLValidation

/// The generated code of a unit, with everything needed to make and complete responses.
package struct GeneratedUnit {
  package let unit: CorpusUnit
  package let namespace: String
  /// The Swift code, all files in one.
  package let code: GeneratedCode
  package let schema: Schema
  package let document: Document

  /// The operation with a name, or the only one there is.
  func operation(named name: String?) -> GraphQLSyntax.OperationDefinition? {
    guard let name else { return document.operations.first }
    return document.operations.first { $0.name.map(document.spelling) == name }
  }
}

/// Runs the generator as a user would: on files in a folder, with a configuration.
package struct UnitGenerator {
  private let scratch: URL
  private var schemas: [String: Schema] = [:]

  /// - Parameter scratch: a folder for files that are in the way afterwards.
  package init(scratch: URL) { self.scratch = scratch }

  /// Generates the code of a unit.
  ///
  /// - Parameters:
  ///   - unit: a schema and documents.
  ///   - namespace: the enum that everything is to be in.
  ///   - module: the target that the code is to be in.
  /// - Returns: the code.
  /// - Throws: a `GenerationError`, or what reading and writing files throws.
  package mutating func generate(
    _ unit: CorpusUnit, namespace: String, module: String = "Generated"
  ) throws -> GeneratedUnit {
    let folder = scratch.appendingPathComponent(namespace, isDirectory: true)
    defer { try? FileManager.default.removeItem(at: folder) }  // the scratch folder goes anyway
    for (name, text) in unit.schema { try write(text, to: "schema/\(name)", in: folder) }
    for document in unit.documents {
      try write(document.text, to: "operations/\(document.name)", in: folder)
    }
    let schemaFiles = unit.schema.map { "\"schema/\($0.name)\"" }.joined(separator: ", ")
    let configuration = try ApolloCodegenConfiguration(
      json: """
        {
          "schemaNamespace": "\(namespace)",
          "input": { "schemaSearchPaths": [\(schemaFiles)], "operationSearchPaths": ["operations/**/*.graphql"] },
          "output": { "schemaTypes": { "path": "generated", "moduleType": {
            "embeddedInTarget": { "name": "\(module)", "accessModifier": "public" } } } },
          "options": { "warningsOnDeprecatedUsage": "exclude" }
        }
        """)
    let report = try Generator(configuration, rootFolder: folder.path).generate()
    let text = try report.summary.written.sorted().map { path in
      let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
      return path.contains("/CustomScalars/") ? Self.keepingJSON(text) : text
    }.joined(separator: "\n")
    let schema = schema(unit)
    var document = Document(names: schema.names, sources: schema.document.sources)
    for source in unit.documents {
      _ = document.parse(Source(name: source.name, text: source.text))
    }
    return GeneratedUnit(
      unit: unit, namespace: namespace, code: try GeneratedCode(text), schema: schema,
      document: document)
  }

  /// Generates the code of a unit without the documents that the generator refuses.
  ///
  /// - Parameters:
  ///   - unit: a schema and documents.
  ///   - namespace: the enum that everything is to be in.
  ///   - module: the target that the code is to be in.
  ///   - refusal: told the origin of each document that is left out, and why.
  /// - Returns: the code, or `nil` when nothing is left.
  /// - Throws: what reading and writing files throws, and ``UnreadableCode``.
  package mutating func generate(
    _ unit: CorpusUnit, namespace: String, module: String = "Generated",
    refusal: (_ origin: String, _ reason: String) -> Void
  ) throws -> GeneratedUnit? {
    var rest = unit
    while !rest.documents.isEmpty {
      do {
        return try generate(rest, namespace: namespace, module: module)
      } catch let error as GenerationError {
        let refused = error.refused(rest.documents)
        for document in refused.isEmpty ? rest.documents : refused {
          refusal(document.origin, error.summary)
        }
        if refused.isEmpty { return nil }
        rest.documents.removeAll { document in refused.contains { $0.name == document.name } }
      }
    }
    return nil
  }

  private func write(_ text: String, to path: String, in folder: URL) throws {
    let file = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private mutating func schema(_ unit: CorpusUnit) -> Schema {
    let key = unit.schema.map(\.text).joined()
    if let schema = schemas[key] { return schema }
    let inputs = unit.schema.map {
      SchemaInput(detecting: Source(name: $0.name, text: $0.text))
    }
    let schema = Schema.build(inputs).schema
    schemas[key] = schema
    return schema
  }

  /// A custom scalar as a user would declare it whose values can be anything. `ID` stays text.
  private static func keepingJSON(_ text: String) -> String {
    text.replacing(/(typealias [^=]+=) (?!ApolloAPI\.ID).+/) { "\($0.1) ApolloAPI.JSONValue" }
      .replacing(/import (struct )?Foundation(\.\w+)?/, with: "import ApolloAPI")
  }
}

extension GenerationError {
  /// The mistake, in one line.
  package var summary: String {
    guard code == .invalidInput else { return description }
    return diagnostics.filter { $0.severity == .error }.map(\.message).joined(separator: " | ")
  }

  /// The documents with errors.
  fileprivate func refused(_ documents: [CorpusUnit.Document]) -> [CorpusUnit.Document] {
    let names = diagnostics.filter { $0.severity == .error }.compactMap { diagnostic in
      diagnostic.span.map { sources.sources[sources.sourceIndex(at: $0.start)].name }
    }
    return documents.filter { document in
      names.contains { $0.hasSuffix("operations/\(document.name)") }
    }
  }
}
