/// Cases in which we know better, or choose differently, by their id.
enum CorpusDeviations {
  static let reasons: [String: String] = [
    "val-OverlappingFieldsCanBeMergedRule-d50239f077": locationsAreComplete,
    "val-OverlappingFieldsCanBeMergedRule-d50239f077 (all)": locationsAreComplete,
    "val-OverlappingFieldsCanBeMergedRule-9b58a1c22d": locationsAreComplete,
    "val-OverlappingFieldsCanBeMergedRule-9b58a1c22d (all)": locationsAreComplete,
    "val-SingleFieldSubscriptionsRule-1fd450a0b1": emptySelectionSet,
    "val-SingleFieldSubscriptionsRule-1fd450a0b1 (all)": emptySelectionSet,
    "val-ExecutableDefinitionsRule-cb5c5e028e (all)": definitionsAreNotEntered,
    "val-UniqueDirectivesPerLocationRule-badd499fcb (all)": definitionsAreNotEntered,
    "val-FieldsOnCorrectTypeRule-20429377ac (all)":
      "The reference stops after a hundred errors; we report all of them.",
    "val-MaxIntrospectionDepthRule-6b6dec2da8":
      "Fragments in a cycle, which is an error in itself: what one oracle remembers from the first field "
      + "hides that the second one is too deep as well.",
    "spec-9b09ecc457": nullableVariableInOneOf,
    "spec-55872005e1": nullableVariableInOneOf,
    "apollokt-65e7b64ba5": fragmentArguments,
    "apollokt-e99df840a1": fragmentArguments,
    "apollokt-de00147ea8": fragmentArguments,
    "apollokt-6afecb5e5d": fragmentArguments,
    "apollokt-72cc3542bb": fragmentArguments,
    "apollokt-00304c802f": fragmentArguments,
    "apollokt-ae25b45e3c": fragmentArguments,
    "apollokt-851287c08f": fragmentArguments,
    "apollokt-ff9f0e5abd": fragmentArguments,
    "apollors-diagnostics-e4b89c07f7": "The oracle lost the locations; ours are right.",
  ]

  private static let nullableVariableInOneOf =
    "The text is a counter-example of the specification, section 5.8.5: a variable in a field of a `@oneOf` "
    + "object must be non-null. One oracle misses it, graphql-js 16.11 reports it as we do."
  private static let fragmentArguments =
    "Fragments with arguments are not part of the September 2025 language."
  private static let locationsAreComplete =
    "One oracle shortens long lists of locations; we give all of them, as graphql-js does."
  private static let emptySelectionSet =
    "`{ }` is a syntax error in the September 2025 language."
  private static let definitionsAreNotEntered =
    "A type-system definition in an executable document is reported as not executable; what is within is "
    + "not looked at, because the rules for schemas do that."
}
