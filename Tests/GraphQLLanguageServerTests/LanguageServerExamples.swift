import ApolloCodegenLib
import GraphQLLanguageServer

// The example in the documentation of the module, word for word, so that the compiler checks it.
// `DocumentationExamplesTests` compares the two.

private protocol Input {
  var hasMore: Bool { get }
  func read() -> [UInt8]
}

private protocol Output {
  func write(_ bytes: [UInt8])
}

private func serve(_ input: any Input, _ output: any Output) {
  var server = LanguageServer(version: "1.0", fileSystem: Disk())
  while server.exitCode == nil {
    server.receive(input.read())
    repeat { output.write(server.run()) } while server.hasWork && !input.hasMore
  }
}
