import ApolloIR
import GraphQLSyntax

/// Rules for `@cacheControl` in documents, on queries and on fields.
enum MaxAgeRules: GenerationRule {
  static func diagnostics(_ subject: ClientDocument) -> [Diagnostic] {
    let document = subject.document
    return document.operations.flatMap { operation in
      problems(
        with: operation.directives, of: operation.name.map { document.spelling($0) } ?? "query",
        inherits: false, in: document)
    }
      + document.fields.flatMap { field in
        problems(
          with: field.directives, of: document.spelling(field.responseName), inherits: true,
          in: document)
      }
  }

  private static func problems(
    with directives: Directive.List, of name: String, inherits: Bool, in document: Document
  ) -> [Diagnostic] {
    document[directives].compactMap { directive in
      guard document.spelling(directive.name) == ClientDirective.cacheControl else { return nil }
      let maxAge = WrittenMaxAge(directive, in: document)
      let problem =
        maxAge.inherits && !inherits
        ? "inherits a maximum age, but no field leads to it. Write 'maxAge:'." : maxAge.problem
      return problem.map {
        Diagnostic(
          rule: "CachePolicies", message: "'@cacheControl' of '\(name)' \($0)", at: maxAge.span)
      }
    }
  }
}

/// The arguments of a `@cacheControl` or `@cacheControlField`.
struct WrittenMaxAge {
  private(set) var inherits = false
  private(set) var hasScope = false
  /// The end of a sentence about the directive, or `nil` if it has one maximum age.
  private(set) var problem: String?
  /// The span of the problem.
  private(set) var span: SourceSpan
  private var hasMaxAge = false

  /// Indicates whether the directive has neither a maximum age nor inherits one.
  ///
  /// Such a directive could mean any age as well as none.
  var isEmpty: Bool { !hasMaxAge && !inherits }

  init(_ directive: Directive, in document: Document) {
    span = directive.name.span
    for argument in document[directive.arguments] {
      switch (document.spelling(argument.name), argument.value.content) {
      case ("maxAge", .null): continue
      case ("maxAge", .int):
        hasMaxAge = true
        guard document.text(of: argument.value.span).hasPrefix("-") else { continue }
        problem =
          "has a negative maximum age. Write a number of seconds, or 0 to fetch always."
        span = argument.value.span
      case ("maxAge", .variable), ("inheritMaxAge", .variable):
        hasMaxAge = true
        problem = "has a variable as its maximum age. Write a number of seconds."
        span = argument.value.span
      case ("inheritMaxAge", .boolean(let value)): inherits = value
      case ("scope", _): hasScope = true
      default: continue
      }
    }
    if hasMaxAge, inherits {
      problem =
        "has a maximum age and inherits one. Remove 'maxAge' or 'inheritMaxAge'."
      span = directive.name.span
    } else if isEmpty {
      problem =
        "has no maximum age. Add 'maxAge:' with a number of seconds, or 'inheritMaxAge: true'."
    }
  }
}
