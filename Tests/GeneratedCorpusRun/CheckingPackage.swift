import Foundation
import GeneratedCorpus

/// Writes the package that compiles generated code and runs it on responses.
struct CheckingPackage {
  let folder: URL
  /// The package of the runtime.
  let runtime: URL

  /// The number of lines of generated code in a module. Few large modules are slow to compile, and
  /// so are many small ones.
  static let linesInModule = 10_000

  /// The modules of generated code, in order.
  private(set) var modules: [String] = []
  private var files: [(name: String, text: String)] = []
  private var lineCount = 0
  private var registrations: [String] = []
  private var written: Set<String> = []

  init(folder: URL, runtime: URL) {
    self.folder = folder
    self.runtime = runtime
  }

  /// The module that the next unit goes to.
  var currentModule: String { "Generated\(modules.count)" }

  /// Adds the code of a unit, with functions that read every property of its models.
  ///
  /// - Parameters:
  ///   - generated: the unit.
  ///   - isLeftOut: whether it takes its place only, so that what is built already need not be
  ///   built again.
  /// - Throws: what writing files throws.
  mutating func add(_ generated: GeneratedUnit, isLeftOut: Bool) throws {
    let code = generated.code
    if !isLeftOut {
      files.append(
        (generated.namespace, "import ModelChecking\n" + code.text + "\n" + walks(of: code)))
      for (name, type) in code.operations.sorted(by: { $0.key < $1.key }) {
        registrations.append("\"\(generated.namespace).\(name)\": ModelCheck<\(type)>.self,")
      }
    }
    lineCount += code.text.utf8.count { $0 == UInt8(ascii: "\n") }
    if lineCount > Self.linesInModule { try finishModule() }
  }

  /// Writes what has been added since the last module.
  mutating func finishModule() throws {
    guard !files.isEmpty else { return }
    for (name, text) in files { try write(text, to: "Sources/\(currentModule)/\(name).swift") }
    let registry = """
      import ModelChecking

      public let operations\(modules.count): [String: any OperationCheck.Type] = [
        \(registrations.isEmpty ? ":" : registrations.joined(separator: "\n  "))
      ]
      """
    try write(registry, to: "Sources/\(currentModule)/Operations.swift")
    modules.append(currentModule)
    (files, lineCount, registrations) = ([], 0, [])
  }

  /// Writes the manifest and the program.
  ///
  /// - Parameter targets: the folders with the sources of the other targets.
  /// - Throws: what reading and writing files throws.
  mutating func finish(copying targets: [String: URL]) throws {
    try finishModule()
    let list = modules.map { "\"\($0)\"" }.joined(separator: ", ")
    try write(
      """
      // swift-tools-version: 6.1
      import PackageDescription

      let apollo: Target.Dependency = .product(name: "ApolloAPI", package: "apollo-swift")
      let generated = [\(list)]
      let package = Package(
        name: "generated-corpus",
        dependencies: [.package(name: "apollo-swift", path: "\(runtime.path)")],
        targets: [
          .target(name: "ModelChecking", dependencies: [apollo]),
          .executableTarget(
            name: "check",
            dependencies: ["ModelChecking", apollo] + generated.map { .target(name: $0) }),
        ] + generated.map { .target(name: $0, dependencies: ["ModelChecking", apollo]) },
        swiftLanguageModes: [.v6]
      )
      """, to: "Package.swift")
    for (name, source) in targets {
      for file in try FileManager.default.contentsOfDirectory(atPath: source.path).sorted() {
        let text = try String(contentsOf: source.appendingPathComponent(file), encoding: .utf8)
        try write(text, to: "Sources/\(name)/\(file)")
      }
    }
    let imports = modules.map { "import \($0)" }.joined(separator: "\n")
    let all = modules.indices.map { "operations\($0)" }.joined(separator: ", ")
    try write(
      """
      \(imports)
      import ModelChecking

      let operations: [[String: any OperationCheck.Type]] = [\(all)]
      """, to: "Sources/check/AllOperations.swift")
    try removeLeftovers()
  }

  /// Removes the sources that an earlier run has left and this one has not written.
  private func removeLeftovers() throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where path.hasPrefix("Sources/") && path.hasSuffix(".swift") && !written.contains(path) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(path))
    }
  }

  /// Writes a file unless it has that content already, so that builds can be repeated.
  private mutating func write(_ text: String, to path: String) throws {
    let file = folder.appendingPathComponent(path)
    let data = Data(text.utf8)
    written.insert(path)
    if (try? Data(contentsOf: file)) == data { return }  // missing: written below
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  private func walks(of code: GeneratedCode) -> String {
    code.models.map { model in
      let reads = model.fields.map { "walk.read(\"\($0.key)\", self.\($0.property))" }
      let views = model.views.map { "walk.view(\($0))" }
      return """
        extension \(model.path): ModelChecking.WalkedModel {
          public func __walk(_ walk: inout ModelChecking.Walk) {
            \((reads + views).joined(separator: "\n    "))
          }
        }
        """
    }.joined(separator: "\n") + "\n"
  }
}
