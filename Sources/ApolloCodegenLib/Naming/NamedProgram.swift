import ApolloIR
import GraphQLSyntax

/// A program in which everything has a Swift name of its own.
struct NamedProgram {
  let program: Program
  let names: SwiftNames
  let structures: Structures
  let layout: ModuleLayout

  /// Names a program.
  ///
  /// 1. Name the types of the schema, operations and fragments, which share one scope.
  /// 2. Name the struct of each selection set, inside of the struct around it.
  /// 3. Name enum cases, input fields, variables and properties.
  /// 4. Check the result with ``NameRules``.
  ///
  /// - Throws: ``GenerationError`` if a rule of the configuration is not a regular expression, or
  ///   if something cannot be named.
  static func name(
    _ program: Program, _ configuration: ApolloCodegenConfiguration,
    _ diagnostics: inout DiagnosticCollector
  ) throws(GenerationError) -> NamedProgram {
    let layout = ModuleLayout(configuration)
    var names = try SwiftNames.reading(configuration.options, namespace: layout.namespace)
    // Outside of the schema's module, no qualification can distinguish a fragment from a type of
    // its name that is nested in an operation.
    names.resolveTypes(
      of: program,
      hidden: layout.canQualifyDefinitions ? [] : ReservedSwiftNames.operationTypes)
    let visible = layout.canQualifyDefinitions ? [] : program.definitions.map(names.definition)
    let structures = Structures(of: program, names, keepingVisible: Set(visible))
    names.resolveMembers(of: program, structures)
    let named = NamedProgram(program, names, structures, layout)
    try diagnostics.add(
      NameRules.diagnostics(named, configuration.options) + ListRules.diagnostics(program))
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
      let problem = ConfigurationProblem(.notRegularExpression(error.pattern), at: error.path)
      throw GenerationError(.configuration(ConfigurationError(problems: [problem])))
    }
  }
}
