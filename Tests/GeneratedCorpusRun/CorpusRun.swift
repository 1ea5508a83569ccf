import ApolloAPI
import ApolloCodegenLib
import Foundation
import GeneratedCorpus

/// Generates code for every document of the corpora, and runs it on their responses and on made-up
/// ones.
///
///     generated-corpus CORPUS FOLDER LINES [NAME…]
///
/// `CORPUS` is where the corpora are; the package with the generated code is written to `FOLDER`
/// and built there. What the corpora have responses for is compiled, and about `LINES` lines of the
/// code besides, some of each corpus; of the rest, the layouts are interpreted. Each `NAME` is the
/// beginning of a corpus or of a project: `execution`, `real`, `artsy`; without one, everything is
/// run.
@main
struct GeneratedCorpusRun {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 4, let lineCount = Int(arguments[3]) else {
      say("usage: generated-corpus CORPUS FOLDER LINES [NAME…]")
      exit(2)
    }
    let run = CorpusRun(
      corpus: URL(fileURLWithPath: arguments[1]), folder: URL(fileURLWithPath: arguments[2]),
      lineCount: lineCount, names: Array(arguments.dropFirst(4)))
    exit(try run.perform() ? 0 : 1)
  }
}

/// One run of everything.
struct CorpusRun {
  let corpus: URL
  let folder: URL
  /// About how many lines are compiled besides those that there are responses for.
  let lineCount: Int
  /// The names of the units to run; all when empty.
  let names: [String]

  /// The size of GraphQL text that is generated together: a few thousand lines of Swift.
  private static let joinedByteCount = 20_000

  /// The working copy that this program was built from.
  private static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    .appendingPathComponent("../../..").standardized

  /// Returns whether everything was as it has to be.
  func perform() throws -> Bool {
    let started = Date()
    var tally = Tally()
    let units = try Corpora(folder: corpus).units().filter { unit in
      names.isEmpty || names.contains { unit.corpus.hasPrefix($0) || unit.id.hasPrefix($0) }
    }
    var compiled: [GeneratedUnit] = []
    var quota = Quota(lineCount, of: units)
    let joined = CorpusUnit.joined(units, upTo: Self.joinedByteCount)
    var generator = UnitGenerator(scratch: folder.appendingPathComponent("projects"))
    for (index, unit) in joined.enumerated() {
      guard let generated = try generate(unit, "U\(index)", with: &generator, &tally) else {
        continue
      }
      if quota.takes(generated) {
        compiled.append(generated)
      } else {
        interpret(generated, &tally)
      }
    }
    say(
      "\(units.count) projects: \(quota.taken) of \(quota.all) lines are compiled, the rest is interpreted"
    )
    report("generated and interpreted", since: started)
    guard try compile(&compiled, &tally) else { return false }
    report("compiled", since: started)
    try check(compiled, &tally)
    tally.print()
    report("checked \(tally.caseCount) cases", since: started)
    return tally.isClean
  }

  private func report(_ what: String, since start: Date) {
    say("\(what): \(Int(-start.timeIntervalSinceNow)) s")
  }

  // MARK: - Generating

  private func generate(
    _ unit: CorpusUnit, _ namespace: String, with generator: inout UnitGenerator,
    _ tally: inout Tally
  ) throws -> GeneratedUnit? {
    let generated = try generator.generate(unit, namespace: namespace) { origin, reason in
      tally.add(unit.corpus, origin, unit.isInvalid ? nil : "is not generated: \(reason)")
    }
    guard generated != nil, unit.isInvalid else { return generated }
    tally.add(unit.corpus, unit.id, "is generated though it is not valid")
    return nil
  }

  private func requests(_ unit: GeneratedUnit) -> [CheckRequest] {
    unit.unit.cases.compactMap { CheckRequest($0, in: unit) } + CheckRequest.made(up: unit)
  }

  private func interpret(_ unit: GeneratedUnit, _ tally: inout Tally) {
    let models = InterpretedModels(unit)
    for request in requests(unit) {
      tally.add(request.corpus, request.id, models.problem(with: request))
    }
  }

  // MARK: - Compiling

  private var build: PackageBuild {
    PackageBuild(
      package: folder.appendingPathComponent("package", isDirectory: true),
      products: folder.appendingPathComponent("build"))
  }

  /// Compiles the units; those that do not compile are taken off the list.
  ///
  /// - Returns: whether there is a program now.
  private func compile(_ units: inout [GeneratedUnit], _ tally: inout Tally) throws -> Bool {
    var broken: Set<String> = []
    while true {
      try writePackage(units, without: broken)
      let failures = try build.failingFiles()
      let failing = units.filter { failures[$0.namespace] != nil && !broken.contains($0.namespace) }
      guard !failing.isEmpty else {
        units.removeAll { broken.contains($0.namespace) }
        if failures.isEmpty { return true }
        tally.print()
        say("error: the package does not build:\n\(failures)")
        return false
      }
      for unit in failing {
        broken.insert(unit.namespace)
        for document in unit.unit.documents {
          tally.add(
            unit.unit.corpus, document.origin,
            "does not compile, or what is beside it: \(failures[unit.namespace] ?? "")")
        }
      }
    }
  }

  private func writePackage(_ units: [GeneratedUnit], without broken: Set<String>) throws {
    var package = CheckingPackage(folder: build.package, runtime: Self.root)
    for unit in units { try package.add(unit, isLeftOut: broken.contains(unit.namespace)) }
    let tests = Self.root.appendingPathComponent("Tests")
    try package.finish(copying: [
      "ModelChecking": tests.appendingPathComponent("ModelChecking"),
      "check": tests.appendingPathComponent("GeneratedCorpusRun/Program"),
    ])
  }

  // MARK: - Checking

  private func check(_ units: [GeneratedUnit], _ tally: inout Tally) throws {
    let requests = units.flatMap(requests)
    let file = folder.appendingPathComponent("cases.jsonl")
    try Data(requests.map(\.line).joined(separator: "\n").utf8).write(to: file)
    let program = CheckProgram(program: build.program)
    for (request, finding) in zip(requests, try program.findings(of: requests.count, in: file)) {
      tally.add(request, finding)
    }
  }
}

/// Decides which code is compiled: what has responses, and of each corpus up to the same number of
/// lines besides, from its beginning.
private struct Quota {
  private let share: Int
  private var lines: [String: Int] = [:]
  /// The number of requested lines, and of those that are compiled.
  private(set) var all = 0
  private(set) var taken = 0

  init(_ lineCount: Int, of units: [CorpusUnit]) {
    share = lineCount / max(1, Set(units.map(\.corpus)).count)
  }

  mutating func takes(_ unit: GeneratedUnit) -> Bool {
    let count = unit.code.text.utf8.count { $0 == UInt8(ascii: "\n") }
    all += count
    guard unit.unit.cases.isEmpty else {
      taken += count
      return true
    }
    guard lines[unit.unit.corpus, default: 0] + count <= share else { return false }
    lines[unit.unit.corpus, default: 0] += count
    taken += count
    return true
  }
}
