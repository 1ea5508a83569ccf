import ApolloIR
import GraphQLSyntax

/// A program in which everything has a Swift name of its own.
struct NamedProgram {
  let program: Program
  let names: SwiftNames
  let structures: Structures
  let layout: ModuleLayout
  /// `true` if a name had to be replaced, or the configuration names something unknown.
  private(set) var hasWarnings = false

  /// Names a program.
  ///
  /// 1. Types of the schema, operations and fragments, which share one scope.
  /// 2. The struct of each selection set, inside the struct around it.
  /// 3. Enum cases, input fields, variables and properties.
  /// 4. The result is held to ``NameRules``.
  ///
  /// - Throws: ``GenerationError`` when a rule of the configuration is not a regular expression, or
  ///   when something cannot be named.
  static func name(
    _ program: Program, _ configuration: ApolloCodegenConfiguration,
    _ diagnostics: inout DiagnosticCollector
  ) throws(GenerationError) -> NamedProgram {
    let layout = ModuleLayout(configuration)
    var names = try SwiftNames.reading(configuration.options, namespace: layout.namespace)
    // Every operation has its `Data`. Outside of the schema's module, a fragment of that name could
    // not be told from it by a module's name.
    names.resolveTypes(of: program, hidden: layout.canQualifyDefinitions ? [] : ["Data"])
    let visible = layout.canQualifyDefinitions ? [] : program.definitions.map(names.definition)
    let structures = Structures(of: program, names, keepingVisible: Set(visible))
    names.resolveMembers(of: program, structures)
    var named = NamedProgram(program, names, structures, layout)
    let found = NameRules.diagnostics(named, configuration.options)
    try diagnostics.add(found)
    named.hasWarnings = !found.isEmpty
    return named
  }

  private init(
    _ program: Program, _ names: SwiftNames, _ structures: Structures, _ layout: ModuleLayout
  ) {
    self.program = program
    self.names = names
    self.structures = structures
    self.layout = layout
  }
}

extension SwiftNames {
  fileprivate static func reading(
    _ options: ApolloCodegenConfiguration.Options, namespace: String
  ) throws(GenerationError) -> SwiftNames {
    do {
      return try SwiftNames(options, namespace: namespace)
    } catch {
      let problem = ConfigurationProblem(
        path: error.path, message: "'\(error.pattern)' is not a regular expression.")
      throw GenerationError(.configuration(ConfigurationError(problems: [problem])))
    }
  }
}
