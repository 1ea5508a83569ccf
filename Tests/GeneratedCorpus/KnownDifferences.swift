/// Cases of the corpora that generated code does not have to agree with, by their IDs, and why.
package let knownDifferences: [String: String] = [
  "exec-a298223e9e":
    "The server was asked not to propagate errors and answers null where the schema rules that out; a client propagates it.",
  "exec-c29637f02a": unusedFragment,
  "exec-4f8e7ebdc7": unusedFragment,
  "exec-14d8326773": experimental,
  "exec-6b322421a1": experimental,
  "exec-e0b79f222b": experimental,
  "fx-6ee8f02912":
    "Deferred inline fragments without a label: the struct of one is named after its label, as in Apollo iOS.",
  "mal-f3e74770b9": anotherType,
  "mal-dd91999659": anotherType,
]

private let anotherType =
  "The response does not tell the type of an object, and for objects of another type it is right."

private let unusedFragment =
  "The document has a fragment that no operation uses; it may be meant for operations elsewhere, so code is generated."

private let experimental =
  "Syntax that is no part of the specification of September 2025."
