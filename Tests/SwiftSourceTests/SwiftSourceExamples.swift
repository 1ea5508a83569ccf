import SwiftSource

// The example in the documentation of the module, word for word, so that the compiler checks it.
// `DocumentationExamplesTests` compares the two.

private func declare() {
  let date = Declaration(.typeAlias(name: "Date", target: "String"), modifiers: ["public"])
  _ = date
}
