/// The starts of definitions, items, descriptions, members and interfaces in a source, by offset.
struct SyntaxMarks {
  /// The nodes that start at an offset.
  struct Marks: OptionSet {
    let rawValue: UInt8

    static let definitionStart = Marks(rawValue: 1 << 0)
    /// An item between brackets: a selection, a field, an argument, a value, …
    static let itemStart = Marks(rawValue: 1 << 1)
    /// A description, which ends its line.
    static let descriptionStart = Marks(rawValue: 1 << 2)
    /// A member of a union, or a location of a directive definition.
    static let memberStart = Marks(rawValue: 1 << 3)
    /// An interface that a type implements.
    static let interfaceStart = Marks(rawValue: 1 << 4)
  }

  /// The nodes that start at each offset.
  private var marks: [Marks]
  /// The end offset of the last member, by the start offset of the first.
  private(set) var memberEnds: [UInt32: UInt32] = [:]

  /// Returns the nodes that start at `offset`.
  func marks(at offset: UInt32) -> Marks { marks[Int(offset)] }

  /// Collects the starts of the nodes of a document.
  ///
  /// - Parameters:
  ///   - document: A document with one source.
  ///   - length: The number of bytes in the source.
  init(_ document: Document, length: Int) {
    marks = Array(repeating: [], count: length + 1)
    for definition in document.definitions {
      mark(document.span(of: definition), .definitionStart)
    }
    addExecutable(document)
    addTypeSystem(document)
    add(document.arguments)
    add(document.values)
    add(document.objectFields)
  }

  private mutating func addExecutable(_ document: Document) {
    add(document.fields)
    add(document.fragmentSpreads)
    add(document.inlineFragments)
    add(document.variableDefinitions)
    add(descriptions: document.variableDefinitions.map(\.description))
    add(descriptions: document.operations.map(\.description))
    add(descriptions: document.fragments.map(\.description))
  }

  private mutating func addTypeSystem(_ document: Document) {
    add(document.rootOperationTypes)
    add(document.fieldDefinitions)
    add(document.inputValueDefinitions)
    add(document.enumValueDefinitions)
    add(descriptions: document.schemas.map(\.description))
    add(descriptions: document.types.map(\.description))
    add(descriptions: document.directiveDefinitions.map(\.description))
    add(descriptions: document.fieldDefinitions.map(\.description))
    add(descriptions: document.inputValueDefinitions.map(\.description))
    add(descriptions: document.enumValueDefinitions.map(\.description))
    for type in document.types {
      add(members: document[type.members])
      for interface in document[type.interfaces] { mark(interface.span, .interfaceStart) }
    }
    for directive in document.directiveDefinitions { add(members: document[directive.locations]) }
  }

  private mutating func mark(_ span: SourceSpan, _ mark: Marks) {
    marks[Int(span.start)].insert(mark)
  }

  private mutating func add(_ nodes: [some Node]) {
    for node in nodes { mark(node.span, .itemStart) }
  }

  private mutating func add(descriptions: [StringLiteral?]) {
    for case let literal? in descriptions { mark(literal.span, .descriptionStart) }
  }

  private mutating func add(members: ArraySlice<Name>) {
    for member in members { mark(member.span, .memberStart) }
    guard let first = members.first, let last = members.last else { return }
    memberEnds[first.span.start] = last.span.end
  }
}
