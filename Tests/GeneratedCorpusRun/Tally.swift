import ApolloAPI
import Foundation
import GeneratedCorpus

/// Prints a line at once: a run takes minutes, and may be cut short.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// Counts what is as it has to be, by corpus, and says what is not.
struct Tally {
  private var corpora: [String: Count] = [:]
  private(set) var isClean = true
  private var readCount = 0
  private var hidden: Set<String> = []

  private struct Count {
    var agreeing = 0
    var failing = 0
    var differing = 0
    var total: Int { agreeing + failing + differing }
  }

  var caseCount: Int { corpora.values.reduce(0) { $0 + $1.total } }

  /// Notes whether a case is as it has to be; `problem` says why it is not.
  mutating func add(_ corpus: String, _ id: String, _ problem: String?) {
    switch (problem, knownDifferences[id]) {
    case (nil, nil): corpora[corpus, default: Count()].agreeing += 1
    case (.some, .some(let reason)):
      corpora[corpus, default: Count()].differing += 1
      say("DIFFERS \(corpus) \(id): \(reason)")
    case (nil, .some):
      fail(corpus, id, "agrees now: take it off the list of known differences")
    case (.some(let problem), nil): fail(corpus, id, problem)
    }
  }

  private mutating func fail(_ corpus: String, _ id: String, _ reason: String) {
    corpora[corpus, default: Count()].failing += 1
    isClean = false
    say("FAILED \(corpus) \(id) \(reason.prefix(1000))")
  }

  /// Notes what the program found about a response; `nil` when it crashed.
  mutating func add(_ request: CheckRequest, _ finding: JSONValue?) {
    readCount += finding?["readCount"]?.intValue ?? 0
    hidden.formUnion((finding?["hidden"]?.arrayValue ?? []).compactMap(\.stringValue))
    let problems = (finding?["problems"]?.arrayValue ?? []).compactMap(\.stringValue)
    add(
      request.corpus, request.id,
      finding == nil
        ? "crashes the program"
        : request.problem(
          failure: finding?["failure"]?.stringValue, hasData: finding?["hasData"] == true,
          problems: problems))
  }

  func print() {
    for (corpus, count) in corpora.sorted(by: { $0.key < $1.key }) {
      var line = "\(corpus): \(count.agreeing) of \(count.total) agree"
      if count.differing > 0 { line += ", \(count.differing) differ for a stated reason" }
      say(line)
    }
    say(
      "\(readCount) properties were read; \(hidden.count) of the program's say nil because of a condition of their own"
    )
  }
}
