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
  private var printer: Printer

  init(_ schema: Schema, order: SchemaOrder, style: PrinterStyle) {
    self.schema = schema
    self.order = order
    self.style = style
    printer = Printer(schema.document, style)
  }

  var output: [UInt8] { printer.output }

  mutating func printSchema() {
    printSchemaDefinition()
    let directives = schema.effectiveDirectives.filter { !schema.isSpecified($0) }
    for id in ordered(directives, by: { schema[$0].name }) {
      separate()
      print(id)
    }
    for id in ordered(schema.definedTypes, by: { schema[$0].name }) {
      separate()
      print(id)
    }
  }

  /// Writes an empty line if a definition precedes.
  private mutating func separate() {
    if !printer.output.isEmpty { write("\n\n") }
  }

  /// Returns `elements` in the requested order.
  private func ordered<Elements: Collection>(
    _ elements: Elements, by name: (Elements.Element) -> Symbol
  ) -> [Elements.Element] {
    guard order == .name else { return Array(elements) }
    return elements.map { ($0, schema.spelling(name($0))) }
      .sorted { precedesNaturally($0.1, $1.1) }
      .map(\.0)
  }

  private mutating func write(_ text: StaticString) { printer.write(text) }
  private mutating func write(_ name: Symbol) { printer.write(name) }
}

// MARK: - Definitions

extension SchemaPrinter {
  /// Prints `schema { … }`, unless the root types have the default names.
  private mutating func printSchemaDefinition() {
    let roots = OperationKind.allCases.compactMap { kind in
      schema.rootType(kind).map { (kind: kind, type: $0) }
    }
    let description = schema.descriptionLiteral
    guard !roots.isEmpty, description != nil || !schema.hasDefaultRoots else { return }
    print(descriptionOfDefinition: description)
    write("schema {")
    printer.indent()
    for root in roots {
      printer.breakLine()
      write(root.kind.symbol)
      write(": ")
      write(schema[root.type].name)
    }
    printer.outdent()
    printer.breakLine()
    write("}")
  }

  private mutating func print(_ id: Schema.DirectiveDefinition.ID) {
    let directive = schema[id]
    print(descriptionOfDefinition: schema.literal(describing: id))
    write("directive @")
    write(directive.name)
    print(arguments: directive.arguments)
    if directive.isDeprecated { printDeprecation(schema.directives(of: id)[...]) }
    if directive.isRepeatable { write(" repeatable") }
    write(" on ")
    let locations = schema.document[schema.document[directive.definition].locations].map(\.symbol)
    join(ordered(locations) { $0 }, " | ")
  }

  private mutating func print(_ id: Schema.NamedType.ID) {
    let type = schema[id]
    print(descriptionOfDefinition: schema.literal(describing: id))
    write(type.kind.keyword)
    write(" ")
    write(type.name)
    switch type.kind {
    case .scalar:
      if let url = schema.specifiedByURL(of: id) {
        write(" @specifiedBy(url: ")
        quote(url)
        write(")")
      }
    case .object, .interface:
      printNames(type.interfaces, before: " implements ", between: " & ")
      printBlock(type.fields, of: { $0[$1].name }) { printer, field, isFirst in
        printer.startMember(printer.schema.literal(describing: field), isFirst: isFirst)
        printer.print(field)
      }
    case .union: printNames(type.members, before: " = ", between: " | ")
    case .enum:
      printBlock(type.enumValues, of: { $0[$1].name }) { printer, value, isFirst in
        printer.startMember(printer.schema.literal(describing: value), isFirst: isFirst)
        printer.print(value)
      }
    case .inputObject:
      if type.isOneOf { write(" @oneOf") }
      printBlock(type.inputFields, of: { $0[$1].name }) { printer, field, isFirst in
        printer.startMember(printer.schema.literal(describing: field), isFirst: isFirst)
        printer.print(field)
      }
    }
  }

  private mutating func printNames(
    _ mentions: NodeList<Schema.TypeMention>, before prefix: StaticString,
    between separator: StaticString
  ) {
    guard !mentions.isEmpty else { return }
    write(prefix)
    join(ordered(schema[mentions].map { schema[$0.type].name }) { $0 }, separator)
  }

  private mutating func join(_ names: [Symbol], _ separator: StaticString) {
    for (index, name) in names.enumerated() {
      if index > 0 { write(separator) }
      write(name)
    }
  }

  /// Prints elements in braces, or nothing if there are none.
  private mutating func printBlock<Element>(
    _ elements: NodeList<Element>, of name: (Schema, NodeID<Element>) -> Symbol,
    _ print: (inout Self, NodeID<Element>, _ isFirst: Bool) -> Void
  ) {
    guard !elements.isEmpty else { return }
    write(" {")
    printer.indent()
    let ordered = ordered(elements) { name(schema, $0) }
    for (index, element) in ordered.enumerated() { print(&self, element, index == 0) }
    printer.outdent()
    printer.breakLine()
    write("}")
  }
}

// MARK: - Members

extension SchemaPrinter {
  private mutating func print(_ id: Schema.Field.ID) {
    let field = schema[id]
    write(field.name)
    print(arguments: field.arguments)
    write(": ")
    print(field.type)
    if field.isDeprecated { printDeprecation(schema.directives(of: id)) }
  }

  private mutating func print(_ id: Schema.EnumValue.ID) {
    write(schema[id].name)
    if schema[id].isDeprecated { printDeprecation(schema.directives(of: id)) }
  }

  private mutating func print(_ id: Schema.InputValue.ID) {
    let input = schema[id]
    write(input.name)
    write(": ")
    print(input.type)
    if input.hasDefaultValue, let value = schema.defaultValue(of: id) {
      write(" = ")
      if let number = number(value, as: input.type) {
        printer.append { $0.append(contentsOf: number.utf8) }
      } else {
        printer.printAtMargin(value)
      }
    }
    if input.isDeprecated { printDeprecation(schema.directives(of: id)) }
  }

  private mutating func print(_ type: ResolvedType) {
    printer.write(schema[type.namedType].name, in: type.wrapping)
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
  private mutating func print(arguments: NodeList<Schema.InputValue>) {
    guard !arguments.isEmpty else { return }
    let ids = ordered(arguments) { schema[$0].name }
    write("(")
    if ids.contains(where: { argumentDescription($0) != nil }) {
      printer.indent()
      for (index, id) in ids.enumerated() {
        startMember(argumentDescription(id), isFirst: index == 0)
        print(id)
      }
      printer.outdent()
      printer.breakLine()
    } else {
      for (index, id) in ids.enumerated() {
        if index > 0 { write(", ") }
        print(id)
      }
    }
    write(")")
  }

  /// Returns the description to print for an argument.
  ///
  /// Version 16 of the reference implementation does not print an empty one.
  private func argumentDescription(_ id: Schema.InputValue.ID) -> StringLiteral? {
    guard let literal = schema.literal(describing: id) else { return nil }
    return style == .version16 && schema.document.string(literal).isEmpty ? nil : literal
  }

  private mutating func printDeprecation(_ directives: ArraySlice<Directive>) {
    guard let reason = schema.deprecationReason(in: directives) else { return }
    write(" @deprecated")
    guard reason != Schema.defaultDeprecationReason else { return }
    write("(reason: ")
    quote(reason)
    write(")")
  }

  private mutating func quote(_ text: String) {
    printer.append { QuotedString.append(text, to: &$0) }
  }

  /// Starts a line for a member, below its description and an empty line unless it is the first.
  private mutating func startMember(_ description: StringLiteral?, isFirst: Bool) {
    if let description {
      if !isFirst { write("\n") }
      printer.breakLine()
      printer.writeLegibly(description)
    }
    printer.breakLine()
  }

  /// Prints the description of a definition on its own lines.
  private mutating func print(descriptionOfDefinition description: StringLiteral?) {
    guard let description else { return }
    printer.writeLegibly(description)
    printer.breakLine()
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
