import ApolloIR

/// Conversions of single names from GraphQL to Swift, by the options of the configuration.
///
/// They ignore all other names. ``UniqueNames`` resolves conflicts between the results.
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

  /// Returns the name of an operation's or fragment's type.
  func definition(_ definition: Definition) -> String {
    let name = capitalizer.type(Casing.capitalizingFirstLetter(definition.name))
    return name.hasSuffix(definition.suffix) ? name : name + definition.suffix
  }

  /// Returns the struct names for the objects of a field, and for an element of a list field.
  ///
  /// The words of a key keep their spelling, also where those of its property change, as in Apollo
  /// iOS: `FAQ` is the type of `faq`, and `First_friend` that of `firstFriend`.
  func structure(forResponseKey key: String) -> (whole: String, singular: String) {
    let name = Casing.loweringFirstLetter(key)
    return (
      capitalizer.type(Casing.capitalizingFirstLetter(name)),
      capitalizer.type(Casing.capitalizingFirstLetter(inflector.singular(of: name)))
    )
  }

  /// Returns the struct name of an inline fragment: `AsDroid`, `IfDetailed`,
  /// `AsDroidIfDetailedAndNotSecret`.
  ///
  /// - Parameters:
  ///   - type: The type, as ``typeInCase(_:suffix:)`` names it, or `nil` if there is none.
  ///   - conditions: The conditions, in the order in which the name lists them.
  ///   - capitalizing: The conversion of the names of variables.
  /// - Returns: The name.
  func structure(
    forTypeCase type: String?, conditions: [Condition],
    capitalizing: (String) -> String = Casing.capitalizingFirstLetter
  ) -> String {
    let parts = conditions.map { condition in
      switch condition {
      case .include(let variable): capitalizing(variable)
      case .skip(let variable): "Not" + capitalizing(variable)
      case .defer(let label, _): capitalizing(label)
      }
    }
    let typePart = type.map { "As" + $0 } ?? ""
    return typePart + (parts.isEmpty ? "" : "If" + parts.joined(separator: "And"))
  }

  /// Returns the struct name of a deferred inline fragment: the words of its label joined, as in
  /// Apollo iOS.
  static func structure(forLabel label: String) -> String {
    let name = Casing.capitalizingFirstLetter(Casing.camelCase(label))
    return ReservedSwiftNames.nestedTypes.contains(name) ? name + "_SelectionSet" : name
  }

  /// Returns the name of a type in those of its type cases: the one of the configuration as it is
  /// written, or its own, as in Apollo iOS. A reserved name has the suffix of the type's kind.
  func typeInCase(_ name: String, suffix: String) -> String {
    if let custom = options.customTypeNames[name]?.name { return custom }
    let name = Casing.capitalizingFirstLetter(name)
    return ReservedSwiftNames.ofApolloIOS.contains(name) ? name + suffix : name
  }

  // MARK: - Members

  /// Returns the property that reads a field.
  func property(_ responseKey: String) -> String {
    Self.avoidingLoneUnderscore(capitalizer.member(propertyBeforeRules(responseKey)))
  }

  /// Returns a property's name before the rules of the configuration apply to its words.
  private func propertyBeforeRules(_ responseKey: String) -> String {
    switch options.conversionStrategies.fieldAccessors {
    case .idiomatic: Casing.idiomatic(responseKey)
    case .camelCase: Casing.camelCase(responseKey)
    }
  }

  func enumCase(_ value: String) -> String {
    member(value, options.conversionStrategies.enumCases)
  }

  /// Returns the name of an input field or a variable.
  func input(_ name: String) -> String { member(name, options.conversionStrategies.inputObjects) }

  /// Converts a member's name. Names that keep their spelling are not split into words.
  private func member(
    _ name: String, _ casing: ApolloCodegenConfiguration.ConversionStrategies.Casing
  ) -> String {
    switch casing {
    case .none: Self.avoidingLoneUnderscore(name)
    case .camelCase: Self.avoidingLoneUnderscore(capitalizer.member(Casing.camelCase(name)))
    }
  }

  /// Returns the name that rules have made of `name`, or `name` itself if the result is empty or
  /// otherwise no name in Swift.
  static func swiftName(_ converted: String, or name: String) -> String {
    ApolloCodegenConfiguration.isSwiftName(converted) && converted != "_" ? converted : name
  }

  /// Replaces `_`, which is a name in GraphQL, but not in Swift, even in back ticks.
  static func avoidingLoneUnderscore(_ name: String) -> String { name == "_" ? "__" : name }
}

extension Definition {
  /// The suffix of the types of such definitions.
  var suffix: String {
    switch kind {
    case .fragment: ""
    case _ where isLocalCacheMutation: "LocalCacheMutation"
    case .query: "Query"
    case .mutation: "Mutation"
    case .subscription: "Subscription"
    }
  }

  /// The suffix that distinguishes a type from another one with the same name.
  var distinction: String { kind == .fragment ? "_Fragment" : "_" + suffix }
}
