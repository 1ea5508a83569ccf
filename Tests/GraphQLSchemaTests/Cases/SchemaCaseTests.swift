import CorpusSupport
import Foundation
import GraphQLSyntax
import GraphQLValidation
import Testing

@testable import GraphQLSchema

/// Builds and compares our own schemas, which cover every rule for definitions and whole schemas.
@Suite struct SchemaCaseTests {
  private static let cases = ["definitions.cases", "schemas.cases"].flatMap {
    DocumentCase.cases(in: $0)
  }

  @Test(arguments: cases)
  func findsTheExpectedProblems(_ item: DocumentCase) {
    let found = Schema.build([.sdl("sdl", item.text)]).findings(hasRule: true).map {
      DocumentCase.line(rule: $0.rule, locations: $0.locations, message: $0.message)
    }
    #expect(found.sorted() == item.diagnostics)
  }

  @Test(arguments: cases.filter(\.isValid))
  func aValidSchemaIsTheSameAfterPrinting(_ item: DocumentCase) {
    let schema = Schema.build([.sdl("sdl", item.text)]).schema
    let printed = Schema.build([.sdl("printed", schema.printed())])
    #expect(printed.diagnostics.isEmpty)
    #expect(printed.schema.printed() == schema.printed())
    #expect(printed.schema.changes(since: schema).isEmpty)
  }

  @Test(arguments: cases.filter(\.isValid))
  func aValidSchemaIsTheSameAfterIntrospection(_ item: DocumentCase) {
    let schema = Schema.build([.sdl("sdl", item.text)]).schema
    let source = Source(name: "introspection", text: schema.introspection())
    let result = Schema.build([.introspection(source)])
    #expect(result.diagnostics.isEmpty)
    #expect(result.schema.printed() == schema.printed())
  }

  @Test(arguments: DocumentCase.cases(in: "printing.cases"))
  func printsASchema(_ item: DocumentCase) {
    let result = Schema.build([.sdl("sdl", item.parts[0])])
    #expect(result.diagnostics.isEmpty)
    #expect(result.schema.printed() == item.parts[1])
  }

  @Test(arguments: DocumentCase.cases(in: "introspection.cases"))
  func readsAnIntrospectionResult(_ item: DocumentCase) {
    let result = Schema.build([.introspection(Source(name: "sdl", text: item.parts[0]))])
    let found = result.findings(hasRule: true).map {
      DocumentCase.line(rule: $0.rule, locations: $0.locations, message: $0.message)
    }
    #expect(found.sorted() == item.diagnostics)
    guard item.isValid else { return }
    #expect(result.schema.printed() == item.parts[1])
  }

  @Test(arguments: DocumentCase.cases(in: "changes.cases"))
  func findsTheExpectedChanges(_ item: DocumentCase) {
    let schemas = item.parts.map { Schema.build([.sdl("sdl", $0)]).schema }
    let found = schemas[1].changes(since: schemas[0]).map {
      DocumentCase.line(
        rule: "\($0.criticality)", locations: [],
        message: "\($0.kind.rawValue) \($0.coordinate) \($0.message)")
    }
    #expect(found.sorted() == item.diagnostics)
  }
}
