import ApolloIR
import GraphQLSchema
import GraphQLSyntax

/// Rules for the names of a program: names that GraphQL allows and Swift cannot have.
///
/// Each problem is reported at its place in the GraphQL source, with a way to fix it.
struct NameRules {
  private let named: NamedProgram
  private let options: ApolloCodegenConfiguration.Options
  private var diagnostics: [Diagnostic] = []

  private var program: Program { named.program }
  private var names: SwiftNames { named.names }
  private var structures: Structures { named.structures }

  /// Returns errors, and warnings about names that had to be replaced.
  static func diagnostics(
    _ named: NamedProgram, _ options: ApolloCodegenConfiguration.Options
  ) -> [Diagnostic] {
    var rules = NameRules(named, options)
    rules.checkTypeNames()
    rules.checkCustomNames()
    rules.checkInitializers()
    rules.checkAddedFields()
    rules.checkFragmentNames()
    let sets = named.program.selectionSets
    for set in sets.indices where !sets[set].isAdded {
      rules.checkMembers(of: ApolloIR.SelectionSet.ID(set))
    }
    return rules.diagnostics + named.names.diagnostics
  }

  private init(_ named: NamedProgram, _ options: ApolloCodegenConfiguration.Options) {
    self.named = named
    self.options = options
  }

  private mutating func report(_ rule: Diagnostic.Rule, _ message: String, at span: SourceSpan?) {
    diagnostics.append(Diagnostic(rule: rule, message: message, at: span))
  }

  // MARK: - Types of the module

  /// Nothing may have the name of the namespace, because it would hide the rest of the namespace.
  private mutating func checkTypeNames() {
    let types = program.types
    for type in types.enums {
      checkNamespace(names.schemaType(type.name, .enum), "The type '\(type.name)'", at: type.span)
    }
    for type in types.inputObjects {
      checkNamespace(
        names.schemaType(type.name, .inputObject), "The type '\(type.name)'", at: type.span)
    }
    for type in types.scalars {
      checkNamespace(names.schemaType(type.name, .scalar), "The type '\(type.name)'", at: type.span)
    }
    for definition in program.definitions {
      checkNamespace(names.definition(definition), "'\(definition.name)'", at: definition.span)
    }
  }

  private mutating func checkNamespace(_ name: String, _ what: String, at span: SourceSpan?) {
    guard name == named.layout.namespace else { return }
    report(
      "NamespaceNotHidden",
      "\(what) would have the name of the namespace '\(name)' and hide it. "
        + "Rename it, or choose another 'schemaNamespace'.", at: span)
  }

  // MARK: - Names of the configuration

  /// Custom names for types and members that the schema does not have are probably misspelt.
  private mutating func checkCustomNames() {
    let schema = program.schema
    let customNames = options.customTypeNames.sorted { $0.key < $1.key }
    for (name, custom) in customNames {
      guard let id = schema.type(named: name) else {
        let types = schema.definedTypes.map { schema.spelling(schema[$0].name) }
        warnUnknown("the type '\(name)'", name, types, of: "the schema")
        continue
      }
      let members =
        schema[id].enumValues.map { schema.spelling(schema[$0].name) }
        + schema[id].inputFields.map { schema.spelling(schema[$0].name) }
      for member in custom.members.keys.sorted() where !members.contains(member) {
        warnUnknown("'\(name).\(member)'", member, members, of: "the schema")
      }
    }
  }

  /// Names of definitions that the project does not have are probably misspelt.
  private mutating func checkInitializers() {
    let known = program.definitions.map(\.name)
    let names = options.selectionSetInitializers.definitionsNamed
    for name in names.subtracting(known).sorted() {
      warnUnknown("the operation or fragment '\(name)'", name, known, of: "the project")
    }
  }

  private mutating func warnUnknown(
    _ what: String, _ name: String, _ known: [String], of owner: String
  ) {
    let hint = Spelling.nearest(to: name, in: known).map { " Did you mean '\($0)'?" } ?? ""
    diagnostics.append(
      Diagnostic(
        rule: "KnownCustomNames", severity: .warning,
        message: "The configuration names \(what), which \(owner) does not have.\(hint)", at: nil))
  }

  // MARK: - Members of models

  /// The response key of the property that holds the fragments of every model.
  static let refusedResponseKey = "fragments"

  private mutating func checkMembers(of id: ApolloIR.SelectionSet.ID) {
    for field in program[id].ownFields where field.responseKey == Self.refusedResponseKey {
      report(
        "AllowedNames",
        "A field cannot be read as 'fragments' in Swift. Use an alias: 'other: \(field.name)'.",
        at: field.span)
    }
  }

  /// The properties of `fragments` have the names of fragments and labels. A deferred one needs two
  /// more names.
  private mutating func checkFragmentNames() {
    for definition in program.definitions {
      var pending = [definition.root]
      var reported: Set<String> = []
      while let id = pending.popLast() {
        pending += structures.children(of: id)
        for name in sharedFragmentNames(of: program[id]) where reported.insert(name).inserted {
          report(
            "UniqueSwiftNames",
            "Two fragments of one object would be read as 'fragments.\(name)' in Swift, or what is deferred would be stored so. "
              + "Choose another label, or rename a fragment.", at: definition.span)
        }
      }
    }
  }

  /// Returns the names that more than one property would have, in order.
  private func sharedFragmentNames(of set: ApolloIR.SelectionSet) -> [String] {
    guard set.fragments.count + set.deferredFragments.count > 1 else { return [] }
    let named = set.fragments.map { fragment in
      (
        Casing.loweringFirstLetter(names.definition(program[fragment.fragment])),
        fragment.isDeferred
      )
    }
    let labels = set.deferredFragments.map {
      (structures.property(forDeferred: $0, in: program), true)
    }
    var taken: Set<String> = []
    return (named + labels).compactMap { name, isDeferred in
      (isDeferred ? [name, "_" + name] : [name]).filter { !taken.insert($0).inserted }.first
    }
  }

  /// `__typename` and key fields are added to what is sent. No other field can have their names in
  /// a response.
  private mutating func checkAddedFields() {
    for field in program.hiddenFields {
      let key = field.responseKey
      let reason =
        key == "__typename" ? "" : " because it is a key field of '\(field.parentTypeName)'"
      report(
        "AddedFields",
        "'\(key)' is added to what is sent\(reason), so nothing else can be called that. "
          + "Use another alias.", at: field.span)
    }
  }
}
