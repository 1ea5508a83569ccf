import GraphQLSyntax

// The examples in the documentation of the module, word for word, so that the compiler checks them.
// `DocumentationExamplesTests` compares the two, and `DocumentationExampleTests` runs some of them.

private struct File {
  var path: String
  var text: String
}

// MARK: - Parsing

private func parse(_ files: [File], _ diagnostics: inout [Diagnostic]) {
  var document = Document()
  for file in files {
    diagnostics += document.parse(Source(name: file.path, text: file.text))
  }
}

private func parse(_ text: String) {
  do {
    let source = Source(name: "Hero.graphql", text: "query Hero { hero { name } }")
    var document = Document()
    let diagnostics = document.parse(source)
    print(DiagnosticFormat.text.render(diagnostics, in: document.sources))
  }
  do {
    let (document, diagnostics) = Document.parsing("query Hero { hero { name } }")
    _ = (document, diagnostics)
  }
  do {
    let options = ParserOptions(nestingLimit: 200, tokenLimit: 50_000)
    let (document, diagnostics) = Document.parsing(text, options: options)
    _ = (document, diagnostics)
  }
  let source = Source(name: "coordinate", text: "Hero.friends(first:)")
  let (coordinate, diagnostics) = SchemaCoordinate.parsing(source)
  _ = (coordinate, diagnostics)
}

private func walk(_ document: Document) {
  func visit(_ selectionSet: SelectionSet) {
    for id in selectionSet.selections {
      switch document[id] {  // a `Selection`: one of three
      case .field(let id):
        let field = document[id]  // a `Field`
        if field.name.symbol == .typename { continue }  // names compare as integers
        print(document.spelling(field.name))  // "hero"
        for id in field.arguments {
          let argument = document[id]  // an `Argument`
          if case .variable(let name) = argument.value.content { print(document.spelling(name)) }
        }
        if let inner = field.selectionSet { visit(inner) }
      case .inlineFragment(let id): visit(document[id].selectionSet)
      case .fragmentSpread(let id): print(document.spelling(document[id].name))
      }
    }
  }
  for definition in document.definitions {
    switch definition {
    case .operation(let id): visit(document[id].selectionSet)
    case .fragment(let id): visit(document[id].selectionSet)
    case .schema, .type, .directive: break  // definitions and extensions of a schema
    }
  }
}

private func name() {
  let wrapping = TypeWrapping.named.nonNull.list  // [T!]
  print(wrapping.isList)  // true
  print(wrapping.item == .named.nonNull)  // true: T!
  var names = NameTable()
  let hero = names.intern("hero")
  print(names.symbol(for: "hero") == hero)  // true
  print(names[hero])  // hero
}

// MARK: - Diagnostics

private func diagnose(_ span: SourceSpan, _ braceSpan: SourceSpan, _ gap: SourceSpan) {
  let diagnostic = Diagnostic(
    rule: .syntax, message: "Syntax Error: Expected Name, found \"}\".", at: span,
    notes: [Diagnostic.Note("the selection set starts here", at: braceSpan)],
    fixIts: [Diagnostic.FixIt("insert '__typename'", replacing: gap, with: "__typename")])
  _ = diagnostic
  let severities: [Diagnostic.Rule: RuleSeverity] = [
    "DefaultValues": .warning, "ReservedNames": .off,
  ]
  _ = severities
  var document = Document()
  let diagnostics = document.parse(Source(name: "Hero.graphql", text: "{ hero { } }"))
  print(DiagnosticFormat.text.render(diagnostics, in: document.sources), terminator: "")
}

private func locate(_ diagnostics: [Diagnostic], in document: Document) {
  var locations = LocationTable(document.sources)
  for diagnostic in diagnostics {
    guard let span = diagnostic.span else { continue }
    let location = locations.location(of: span.start)
    print("\(location.line):\(location.column): \(diagnostic.message)")
  }
}

// MARK: - Printing

private func format(_ source: Source) {
  let (formatted, diagnostics) = source.formatted()
  let isFormatted = formatted == source.text
  _ = (diagnostics, isFormatted)
  let (document, _) = Document.parsing("query Hero{hero{name}}")
  print(document.printed())
  // query Hero {
  //   hero {
  //     name
  //   }
  // }
}

private func readJSON() throws {
  let json = try IndexedJSON(Array(#"{"name": "Hero", "fields": [1, 2]}"#.utf8))
  for (key, value) in json.root.members ?? [] { print(key.string ?? "", value.kind) }
}
