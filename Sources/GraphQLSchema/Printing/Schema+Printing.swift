public import GraphQLSyntax

/// The order in which a schema is printed.
public enum SchemaOrder: Hashable, Sendable {
  /// The order of definition.
  case definition
  /// The order of names, for types, fields, arguments, values, interfaces, members and locations.
  case name
}

extension Schema {
  /// Returns the schema as SDL, exactly as `printSchema` of the reference implementation does.
  ///
  /// Extensions are merged into the types they extend. The result does not contain built-in
  /// definitions, comments, or applied directives other than `@deprecated`, `@specifiedBy` and
  /// `@oneOf`.
  ///
  /// ```swift
  /// let schema = Schema.build([.sdl(source)]).schema
  /// print(schema.printed(order: .name))
  /// ```
  /// - Parameters:
  ///   - order: The order of all elements.
  ///   - style: The version of the reference implementation to follow.
  /// - Returns: The definitions, separated by empty lines, without a line feed at the end.
  /// - Complexity: O(*n*), where *n* is the length of the result.
  public func printed(
    order: SchemaOrder = .definition, style: PrinterStyle = .version17
  ) -> String {
    var printer = SchemaPrinter(self, order: order, style: style)
    printer.printSchema()
    return String(decoding: printer.output, as: UTF8.self)
  }
}

/// Prints a schema as SDL.
struct SchemaPrinter {
  let schema: Schema
  let order: SchemaOrder
  let style: PrinterStyle
  private(set) var output: [UInt8] = []

  init(_ schema: Schema, order: SchemaOrder, style: PrinterStyle) {
    self.schema = schema
    self.order = order
    self.style = style
  }

  mutating func printSchema() {
    printSchemaDefinition()
    let directives = schema.effectiveDirectives.filter { !schema.isSpecified($0) }
    for id in ordered(directives, by: { schema[$0].name }) {
      separate()
      print(id)
    }
    for id in ordered(Array(schema.definedTypes), by: { schema[$0].name }) {
      separate()
      print(id)
    }
  }

  /// Writes an empty line if a definition precedes.
  private mutating func separate() {
    if !output.isEmpty { write("\n\n") }
  }

  /// Returns `elements` in the requested order.
  private func ordered<Element>(
    _ elements: [Element], by name: (Element) -> Symbol
  ) -> [Element] {
    guard order == .name else { return elements }
    return elements.map { ($0, schema.spelling(name($0))) }
      .sorted { precedesNaturally($0.1, $1.1) }
      .map(\.0)
  }
}

// MARK: - Definitions

extension SchemaPrinter {
  /// Prints `schema { … }`, unless the root types have the default names.
  private mutating func printSchemaDefinition() {
    let roots = OperationKind.allCases.compactMap { kind in
      schema.rootType(kind).map { (kind: kind, type: $0) }
    }
    let description = schema.description
    guard !roots.isEmpty, description != nil || !schema.hasDefaultRoots else { return }
    printDescription(description, indentation: "", isFirst: true)
    write("schema {\n")
    for root in roots { write("  \(root.kind): \(schema.name(of: root.type))\n") }
    write("}")
  }

  private mutating func print(_ id: Schema.DirectiveDefinition.ID) {
    let directive = schema[id]
    printDescription(schema.description(of: id), indentation: "", isFirst: true)
    write("directive @\(schema.spelling(directive.name))")
    print(arguments: directive.arguments, indentation: "")
    if directive.isRepeatable { write(" repeatable") }
    let locations = schema.document[schema.document[directive.definition].locations].map(\.symbol)
    let names = ordered(locations) { $0 }.map { schema.spelling($0) }
    write(" on \(names.joined(separator: " | "))")
  }

  private mutating func print(_ id: Schema.NamedType.ID) {
    let type = schema[id]
    printDescription(schema.description(of: id), indentation: "", isFirst: true)
    switch type.kind {
    case .scalar:
      write("scalar \(schema.name(of: id))")
      if let url = schema.specifiedByURL(of: id) {
        write(" @specifiedBy(url: ")
        QuotedString.append(url, to: &output)
        write(")")
      }
    case .object, .interface:
      write("\(type.kind == .object ? "type" : "interface") \(schema.name(of: id))")
      printNames(type.interfaces, before: " implements ", between: " & ")
      printBlock(ordered(Array(type.fields)) { schema[$0].name }) { $0.print($1, isFirst: $2) }
    case .union:
      write("union \(schema.name(of: id))")
      printNames(type.members, before: " = ", between: " | ")
    case .enum:
      write("enum \(schema.name(of: id))")
      printBlock(ordered(Array(type.enumValues)) { schema[$0].name }) { $0.print($1, isFirst: $2) }
    case .inputObject:
      write("input \(schema.name(of: id))\(type.isOneOf ? " @oneOf" : "")")
      printBlock(ordered(Array(type.inputFields)) { schema[$0].name }) { printer, field, isFirst in
        let description = printer.schema.description(of: field)
        printer.printDescription(description, indentation: "  ", isFirst: isFirst)
        printer.write("  ")
        printer.print(field)
      }
    }
  }

  private mutating func printNames(
    _ mentions: NodeList<Schema.TypeMention>, before prefix: String, between separator: String
  ) {
    guard !mentions.isEmpty else { return }
    let names = ordered(schema[mentions].map(\.type)) { schema[$0].name }
    write(prefix + names.map { schema.name(of: $0) }.joined(separator: separator))
  }

  /// Prints elements in braces, or nothing if there are none.
  private mutating func printBlock<Element>(
    _ elements: [Element], _ print: (inout Self, Element, _ isFirst: Bool) -> Void
  ) {
    guard !elements.isEmpty else { return }
    write(" {\n")
    for (index, element) in elements.enumerated() {
      print(&self, element, index == 0)
      write("\n")
    }
    write("}")
  }
}

// MARK: - Members

extension SchemaPrinter {
  private mutating func print(_ id: Schema.Field.ID, isFirst: Bool) {
    let field = schema[id]
    printDescription(schema.description(of: id), indentation: "  ", isFirst: isFirst)
    write("  \(schema.spelling(field.name))")
    print(arguments: field.arguments, indentation: "  ")
    write(": \(schema.spelling(field.type))")
    printDeprecation(field.isDeprecated ? schema.directives(of: id) : [])
  }

  private mutating func print(_ id: Schema.EnumValue.ID, isFirst: Bool) {
    printDescription(schema.description(of: id), indentation: "  ", isFirst: isFirst)
    write("  \(schema.spelling(schema[id].name))")
    printDeprecation(schema[id].isDeprecated ? schema.directives(of: id) : [])
  }

  private mutating func print(_ id: Schema.InputValue.ID) {
    write("\(schema.spelling(schema[id].name)): \(schema.spelling(schema[id].type))")
    if let value = schema.defaultValue(of: id) {
      write(" = \(number(value, as: schema[id].type) ?? schema.document.printed(value, style))")
    }
    printDeprecation(schema[id].isDeprecated ? schema.directives(of: id) : [])
  }

  /// Returns the default of an ID that looks like a number. Version 16 of the reference
  /// implementation prints it as a number; for other values, returns `nil`.
  private func number(_ value: Value, as type: ResolvedType) -> String? {
    guard style == .version16, schema[type.namedType].name == .id, !type.isList,
      case .string(let literal) = value.content
    else { return nil }
    let text = schema.document.string(literal)
    return Int(text).map { "\($0)" == text } == true ? text : nil
  }

  /// Prints arguments in parentheses, each on its own line if one of them has a description.
  private mutating func print(arguments: NodeList<Schema.InputValue>, indentation: String) {
    guard !arguments.isEmpty else { return }
    let ids = ordered(Array(arguments)) { schema[$0].name }
    let descriptions = ids.map { id in
      // Version 16 of the reference implementation does not print an empty description here.
      schema.description(of: id).flatMap { style == .version16 && $0.isEmpty ? nil : $0 }
    }
    let isOnLines = descriptions.contains { $0 != nil }
    write(isOnLines ? "(\n" : "(")
    for (index, id) in ids.enumerated() {
      if isOnLines {
        printDescription(
          descriptions[index], indentation: indentation + "  ", isFirst: index == 0)
        write(indentation + "  ")
      } else if index > 0 {
        write(", ")
      }
      print(id)
      if isOnLines { write("\n") }
    }
    write(isOnLines ? "\(indentation))" : ")")
  }

  private mutating func printDeprecation(_ directives: ArraySlice<Directive>) {
    guard let reason = schema.deprecationReason(in: directives) else { return }
    write(" @deprecated")
    guard reason != Schema.defaultDeprecationReason else { return }
    write("(reason: ")
    QuotedString.append(reason, to: &output)
    write(")")
  }

  /// Prints a description on its own lines, with an empty line before it unless it is the first of
  /// a block.
  private mutating func printDescription(
    _ description: String?, indentation: String, isFirst: Bool
  ) {
    guard let description else { return }
    if !indentation.isEmpty && !isFirst { write("\n") }
    write(indentation)
    if BlockString.canRepresent(description) {
      let text = BlockString.printed(Array(description.utf8))
      for line in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if line.startIndex > 0 { write("\n\(indentation)") }
        output.append(contentsOf: line)
      }
    } else {
      QuotedString.append(description, to: &output)
    }
    write("\n")
  }

  private mutating func write(_ text: String) {
    output.append(contentsOf: text.utf8)
  }
}

extension Schema {
  /// Returns whether the directive has the name of one that the specification defines.
  func isSpecified(_ id: DirectiveDefinition.ID) -> Bool {
    let specified: [Symbol] = [.skip, .include, .deprecated, .specifiedBy, .oneOf]
    return specified.contains(self[id].name)
  }

  /// A Boolean value that indicates whether the root types are exactly the types with the default
  /// names.
  fileprivate var hasDefaultRoots: Bool {
    rootType(.query) == type(named: .queryType)
      && rootType(.mutation) == type(named: .mutationType)
      && rootType(.subscription) == type(named: .subscriptionType)
  }
}
