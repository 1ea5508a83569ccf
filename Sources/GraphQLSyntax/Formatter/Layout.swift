/// What the syntax tree says about tokens that the formatter has to know, by their offsets.
struct Layout {
  /// Where definitions start.
  private(set) var definitionStarts: Set<UInt32> = []
  /// Where the items between brackets start: selections, fields, arguments, values, …
  private(set) var itemStarts: Set<UInt32> = []
  /// The descriptions, which end their line.
  private(set) var descriptionStarts: Set<UInt32> = []
  /// The members of unions and the locations of directives; of each first one, where the last ends.
  private(set) var memberStarts: [UInt32: UInt32?] = [:]

  init(_ document: Document) {
    definitionStarts = Set(document.definitions.map { document.span(of: $0).start })
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
    for type in document.types { add(members: document[type.members]) }
    for directive in document.directiveDefinitions { add(members: document[directive.locations]) }
  }

  private mutating func add(_ nodes: [some Node]) {
    itemStarts.formUnion(nodes.lazy.map(\.span.start))
  }

  private mutating func add(descriptions: [StringLiteral?]) {
    descriptionStarts.formUnion(descriptions.lazy.compactMap { $0?.span.start })
  }

  private mutating func add(members: ArraySlice<Name>) {
    for member in members { memberStarts[member.span.start] = .some(nil) }
    guard let first = members.first, let last = members.last else { return }
    memberStarts[first.span.start] = last.span.end
  }
}
