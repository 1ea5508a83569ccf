import ApolloAPI
import CorpusSupport
import Foundation
import GeneratedCorpus
import Testing

/// Generated code for the reference corpora, which reads responses and writes them again.
///
/// Here the layouts of the code are interpreted, and few long documents and responses are used, so
/// that the test takes seconds. `scripts/corpus` compiles all of the code and reads every property.
@Suite(.readsCorpus) struct GeneratedCorpusTests {
  @Test(
    .timeLimit(.minutes(10)),
    arguments: [
      "execution.json", "malformed_responses.json", "real/postgraphile/cases.json", "real",
    ])
  func readsTheResponses(corpus: String) throws {
    let folder = try TemporaryFolder()
    var generator = UnitGenerator(scratch: URL(fileURLWithPath: folder.path))
    var tally = CorpusTally("\(corpus), read by generated code", knownDifferences: knownDifferences)
    let units = try Corpora(folder: Corpus.folder).units(of: corpus, longestResponse: 20_000)
      .filter { !$0.cases.isEmpty }.enumerated()
      .filter { index, unit in unit.isShort || index % 20 == 0 }.map(\.element)
    for (index, unit) in CorpusUnit.joined(units, upTo: 100_000).enumerated() {
      let generated = try generator.generate(unit, namespace: "U\(index)") { origin, reason in
        tally.add(origin, unit.isInvalid, "is not generated: \(reason)")
      }
      guard let generated else { continue }
      if unit.isInvalid { tally.add(unit.id, false, "is generated though it is not valid") }
      let models = InterpretedModels(generated)
      for request in unit.cases.compactMap({ CheckRequest($0, in: generated) }) {
        let problem = models.problem(with: request)
        tally.add(request.id, problem == nil, problem ?? "")
      }
    }
    tally.finish()
  }
}

extension CorpusUnit {
  /// `true` if the generation takes little time.
  fileprivate var isShort: Bool {
    documents.reduce(0) { $0 + $1.text.utf8.count } < 1000
      && schema.reduce(0) { $0 + $1.text.utf8.count } < 20_000
  }
}
