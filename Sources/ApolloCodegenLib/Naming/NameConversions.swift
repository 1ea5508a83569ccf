import ApolloIR

/// How one name of GraphQL becomes one name of Swift, as the configuration asks. Which names there are besides it does not matter
/// here.
struct NameConversions: Sendable {
  private let options: ApolloCodegenConfiguration.Options
  private let inflector: Inflector
  private let capitalizer: Capitalizer

  init(_ options: ApolloCodegenConfiguration.Options) throws(InvalidRegex) {
    self.options = options
    inflector = try Inflector(options.additionalInflectionRules)
    capitalizer = try Capitalizer(options.additionalCapitalizationRules)
  }

  // MARK: - Types

  /// The type of an operation or a fragment.
  func definition(_ definition: Definition) -> String {
    let name = capitalizer.type(Casing.capitalizingFirstLetter(definition.name))
    return name.hasSuffix(definition.suffix) ? name : name + definition.suffix
  }

  /// The struct for the objects of a field, and the one for an element of a list.
  func structure(forResponseKey key: String) -> (whole: String, singular: String) {
    let name = unruledProperty(key)
    return (
      capitalizer.type(Casing.capitalizingFirstLetter(name)),
      capitalizer.type(Casing.capitalizingFirstLetter(inflector.singular(of: name)))
    )
  }

  /// `AsDroid`, `IfDetailed`, `AsDroidIfDetailedAndNotSecret`; a deferred fragment is called like its label.
  func structure(
    forTypeCase type: String?, conditions: [Condition],
    capitalizing: (String) -> String = Casing.capitalizingFirstLetter
  ) -> String {
    if case .defer(let label, _)? = conditions.first(where: \.isDeferral) {
      return capitalizing(label)
    }
    let parts = conditions.map { condition in
      switch condition {
      case .include(let variable): capitalizing(variable)
      case .skip(let variable): "Not" + capitalizing(variable)
      case .defer(let label, _): capitalizing(label)
      }
    }
    let typePart = type.map { "As" + capitalizing($0) } ?? ""
    return typePart + (parts.isEmpty ? "" : "If" + parts.joined(separator: "And"))
  }

  // MARK: - Members

  /// A property that reads a field.
  func property(_ responseKey: String) -> String {
    Self.sayable(capitalizer.member(unruledProperty(responseKey)))
  }

  /// A property before any rule of the configuration changes its words.
  private func unruledProperty(_ responseKey: String) -> String {
    switch options.conversionStrategies.fieldAccessors {
    case .idiomatic: Casing.idiomatic(responseKey)
    case .camelCase: Casing.camelCase(responseKey)
    }
  }

  func enumCase(_ value: String) -> String {
    member(value, options.conversionStrategies.enumCases)
  }

  /// An input field or a variable.
  func input(_ name: String) -> String { member(name, options.conversionStrategies.inputObjects) }

  /// Names that are kept as they are spelled have no words.
  private func member(
    _ name: String, _ casing: ApolloCodegenConfiguration.ConversionStrategies.Casing
  ) -> String {
    switch casing {
    case .none: Self.sayable(name)
    case .camelCase: Self.sayable(capitalizer.member(Casing.camelCase(name)))
    }
  }

  /// A lone underscore is a name in GraphQL, and in Swift not even in back ticks.
  static func sayable(_ name: String) -> String { name == "_" ? "__" : name }
}

extension Definition {
  /// What the names of such types end in.
  var suffix: String {
    switch kind {
    case .fragment: ""
    case _ where isLocalCacheMutation: "LocalCacheMutation"
    case .query: "Query"
    case .mutation: "Mutation"
    case .subscription: "Subscription"
    }
  }

  /// What sets a type apart from another one that has its name.
  var distinction: String { kind == .fragment ? "_Fragment" : "_" + suffix }
}
