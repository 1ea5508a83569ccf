import ApolloIR
import GraphQLSyntax
import SwiftSource

/// Rules for `@import`: its argument becomes code, so it must be the name of a module.
enum ImportRules: GenerationRule {
  static func diagnostics(_ subject: ClientDocument) -> [Diagnostic] {
    let document = subject.document
    return document.directives.compactMap { directive in
      guard document.spelling(directive.name) == ClientDirective.importModule else { return nil }
      return problem(with: directive, in: document)
    }
  }

  private static func problem(
    with directive: GraphQLSyntax.Directive, in document: Document
  ) -> Diagnostic? {
    for argument in document[directive.arguments] where document.spelling(argument.name) == "module"
    {
      guard case .string(let literal) = argument.value.content else { continue }
      let module = document.string(literal)
      guard !isModule(module) else { continue }
      return Diagnostic(
        rule: "ImportedModules",
        message: "'\(module)' cannot be the name of a module. Use letters, digits and underscores.",
        at: argument.value.span)
    }
    return nil
  }

  /// Returns `true` for a valid module name, which may be that of a submodule: `Outer.Inner`.
  private static func isModule(_ name: String) -> Bool {
    name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
      let part = String($0)
      return ApolloCodegenConfiguration.isSwiftName(part) && part != "_"
        && !Identifier.keywords.contains(part)
    }
  }
}
