/// The number of nodes of each kind in a document, for removing a definition that failed to parse,
/// and for estimating how many follow.
struct Checkpoint {
  fileprivate let definitions: Int
  fileprivate let operations: Int
  fileprivate let fragments: Int
  fileprivate let schemas: Int
  fileprivate let types: Int
  fileprivate let directiveDefinitions: Int
  fileprivate let selections: Int
  fileprivate let fields: Int
  fileprivate let fragmentSpreads: Int
  fileprivate let inlineFragments: Int
  fileprivate let variableDefinitions: Int
  fileprivate let arguments: Int
  fileprivate let directives: Int
  fileprivate let values: Int
  fileprivate let objectFields: Int
  fileprivate let rootOperationTypes: Int
  fileprivate let fieldDefinitions: Int
  fileprivate let inputValueDefinitions: Int
  fileprivate let enumValueDefinitions: Int
  fileprivate let nameList: Int

  init(_ document: borrowing Document) {
    definitions = document.definitions.count
    operations = document.operations.count
    fragments = document.fragments.count
    schemas = document.schemas.count
    types = document.types.count
    directiveDefinitions = document.directiveDefinitions.count
    selections = document.selections.count
    fields = document.fields.count
    fragmentSpreads = document.fragmentSpreads.count
    inlineFragments = document.inlineFragments.count
    variableDefinitions = document.variableDefinitions.count
    arguments = document.arguments.count
    directives = document.directives.count
    values = document.values.count
    objectFields = document.objectFields.count
    rootOperationTypes = document.rootOperationTypes.count
    fieldDefinitions = document.fieldDefinitions.count
    inputValueDefinitions = document.inputValueDefinitions.count
    enumValueDefinitions = document.enumValueDefinitions.count
    nameList = document.nameList.count
  }
}

extension Document {
  /// Removes all nodes appended since `checkpoint`.
  mutating func truncate(to checkpoint: Checkpoint) {
    operations.removeSubrange(checkpoint.operations...)
    fragments.removeSubrange(checkpoint.fragments...)
    schemas.removeSubrange(checkpoint.schemas...)
    types.removeSubrange(checkpoint.types...)
    directiveDefinitions.removeSubrange(checkpoint.directiveDefinitions...)
    selections.removeSubrange(checkpoint.selections...)
    fields.removeSubrange(checkpoint.fields...)
    fragmentSpreads.removeSubrange(checkpoint.fragmentSpreads...)
    inlineFragments.removeSubrange(checkpoint.inlineFragments...)
    variableDefinitions.removeSubrange(checkpoint.variableDefinitions...)
    arguments.removeSubrange(checkpoint.arguments...)
    directives.removeSubrange(checkpoint.directives...)
    values.removeSubrange(checkpoint.values...)
    objectFields.removeSubrange(checkpoint.objectFields...)
    rootOperationTypes.removeSubrange(checkpoint.rootOperationTypes...)
    fieldDefinitions.removeSubrange(checkpoint.fieldDefinitions...)
    inputValueDefinitions.removeSubrange(checkpoint.inputValueDefinitions...)
    enumValueDefinitions.removeSubrange(checkpoint.enumValueDefinitions...)
    nameList.removeSubrange(checkpoint.nameList...)
  }
}

extension Document {
  /// Makes room for nodes that follow: for each node since `checkpoint`, `growth` more of its kind.
  mutating func reserveCapacity(since checkpoint: Checkpoint, growth: Double) {
    definitions.reserve(since: checkpoint.definitions, growth: growth)
    operations.reserve(since: checkpoint.operations, growth: growth)
    fragments.reserve(since: checkpoint.fragments, growth: growth)
    schemas.reserve(since: checkpoint.schemas, growth: growth)
    types.reserve(since: checkpoint.types, growth: growth)
    directiveDefinitions.reserve(since: checkpoint.directiveDefinitions, growth: growth)
    selections.reserve(since: checkpoint.selections, growth: growth)
    fields.reserve(since: checkpoint.fields, growth: growth)
    fragmentSpreads.reserve(since: checkpoint.fragmentSpreads, growth: growth)
    inlineFragments.reserve(since: checkpoint.inlineFragments, growth: growth)
    variableDefinitions.reserve(since: checkpoint.variableDefinitions, growth: growth)
    arguments.reserve(since: checkpoint.arguments, growth: growth)
    directives.reserve(since: checkpoint.directives, growth: growth)
    values.reserve(since: checkpoint.values, growth: growth)
    objectFields.reserve(since: checkpoint.objectFields, growth: growth)
    rootOperationTypes.reserve(since: checkpoint.rootOperationTypes, growth: growth)
    fieldDefinitions.reserve(since: checkpoint.fieldDefinitions, growth: growth)
    inputValueDefinitions.reserve(since: checkpoint.inputValueDefinitions, growth: growth)
    enumValueDefinitions.reserve(since: checkpoint.enumValueDefinitions, growth: growth)
    nameList.reserve(since: checkpoint.nameList, growth: growth)
  }
}
