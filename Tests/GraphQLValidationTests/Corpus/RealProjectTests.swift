import CorpusSupport
import Foundation
import GraphQLSchema
import GraphQLSyntax
import GraphQLValidation
import Testing

/// Validates every operation of real projects, together with the fragments that it uses.
@Suite(.readsCorpus) struct RealProjectTests {
  private struct Index: Decodable {
    struct Project: Decodable {
      var name: String
      var unit: String?
    }

    var projects: [Project]
  }

  private struct Expected: Decodable {
    struct Operation: Decodable {
      var file: String
      var name: String?
      var valid: Bool
      var errors: [CorpusError]?
    }

    var operations: [Operation]
  }

  @Test func validatesOperationsOfRealProjectsAsTheReferenceDoes() throws {
    let index = try Corpus.load("real/index.json", as: Index.self)
    for project in index.projects {
      let expected = try Corpus.load("real/\(project.name)/expected.json", as: Expected.self)
      guard !expected.operations.isEmpty else { continue }  // A schema alone.
      var tally = CorpusTally("real/\(project.name)", knownDifferences: CorpusDeviations.reasons)
      let folder = Corpus.folder.appendingPathComponent("real/\(project.name)")
      let sdl = try Data(contentsOf: folder.appendingPathComponent("schema.graphql"))
      let schema = Schema.build([.sdl(Source(name: "schema", bytes: sdl))]).schema
      let texts = try OperationTexts(
        folder.appendingPathComponent("operations"), isOneUnit: project.unit == "project")
      for operation in expected.operations {
        let text = try #require(texts.text(of: operation.name, in: operation.file))
        let found = errors(in: text, against: schema, ValidationConfiguration())
        let rules = found.map(\.rule).sorted()
        let expectedRules = (operation.errors ?? []).map(\.rule).sorted()
        tally.add(
          "\(operation.file) \(operation.name ?? "")", rules == expectedRules,
          "found    \(found)\nexpected \(expectedRules)")
      }
      tally.finish()
    }
  }
}

/// The texts of the operations and fragments in a folder.
private struct OperationTexts {
  private var operations: [String: String] = [:]
  /// The fragments by file, or all of them under an empty name.
  private var fragments: [String: [String: (text: String, spreads: [String])]] = [:]
  private var spreads: [String: [String]] = [:]
  private let isOneUnit: Bool

  init(_ folder: URL, isOneUnit: Bool) throws {
    self.isOneUnit = isOneUnit
    guard FileManager.default.fileExists(atPath: folder.path) else { return }
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    where path.hasSuffix(".graphql") {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(path))
      add(String(decoding: bytes, as: UTF8.self), from: path)
    }
  }

  private mutating func add(_ text: String, from file: String) {
    let (document, _) = Document.parsing(text)
    for operation in document.operations {
      let key = "\(file) \(operation.name.map(document.spelling) ?? "")"
      operations[key] = document.text(of: operation.span)
      spreads[key] = spreadNames(in: operation.span, document)
    }
    for fragment in document.fragments {
      fragments[isOneUnit ? "" : file, default: [:]][document.spelling(fragment.name)] =
        (document.text(of: fragment.span), spreadNames(in: fragment.span, document))
    }
  }

  private func spreadNames(in span: SourceSpan, _ document: Document) -> [String] {
    document.fragmentSpreads.filter { span.contains($0.span.start) }
      .map { document.spelling($0.name) }
  }

  /// Returns the text of an operation and of all fragments that it uses, or `nil` if there is none.
  func text(of name: String?, in file: String) -> String? {
    let key = "\(file) \(name ?? "")"
    guard var text = operations[key] else { return nil }
    let known = fragments[isOneUnit ? "" : file] ?? [:]
    var pending = spreads[key] ?? []
    var met: Set<String> = []
    while let name = pending.popLast() {
      guard met.insert(name).inserted, let fragment = known[name] else { continue }
      text += "\n" + fragment.text
      pending += fragment.spreads
    }
    return text
  }
}
