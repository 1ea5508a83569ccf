/// The cases with known differences from the reference implementations, by their IDs.
enum CorpusDeviations {
  static let reasons: [String: String] = [
    "val-SingleFieldSubscriptionsRule-1fd450a0b1": emptySelectionSet,
    "val-SingleFieldSubscriptionsRule-1fd450a0b1 (all)": emptySelectionSet,
    "val-FieldsOnCorrectTypeRule-20429377ac (all)":
      "The reference stops after a hundred errors; we report all of them.",
    "val-MaxIntrospectionDepthRule-6b6dec2da8":
      "Fragments in a cycle, which is an error in itself: what one oracle remembers from the first field "
      + "hides that the second one is too deep as well.",
    "valx-OverlappingFieldsCanBeMergedRule-bcd8f6d3f4": stream,
    "valx-OverlappingFieldsCanBeMergedRule-01f467324b": stream,
    "valx-OverlappingFieldsCanBeMergedRule-84c5891204": stream,
    "exec-14d8326773": "The argument of `__Schema.directives` came after September 2025.",
    "exec-6b322421a1": emptySelectionSet,
    "exec-e0b79f222b": emptySelectionSet,
    "exec-ced8cf209d": deepFragments,
    "exec-dda5069cce": deepFragments,
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
  private static let stream =
    "`@stream` came after September 2025; here it is an unknown directive, which is reported."
  private static let deepFragments =
    "Fragments within thousands of fragments, at which the oracle runs out of its stack; the document is valid."
  private static let emptySelectionSet =
    "`{ }` is a syntax error in the September 2025 language."
}
