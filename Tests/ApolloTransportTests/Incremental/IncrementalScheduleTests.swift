import ApolloAPI
import ApolloTransport
import Foundation
import SeededRandom
import Testing

/// Random responses, delivered in random parts, compared with the whole.
@Suite(.timeLimit(.minutes(10)))
struct IncrementalScheduleTests {
  @Test(arguments: [false, true])
  func partsInAnyOrderGiveTheWholeResponse(isCurrentFormat: Bool) throws {
    for seed in 0..<2_000 {
      var random = SeededGenerator(seed: UInt64(seed))
      let whole = randomObject(depth: 4, &random)
      var server = Server(isCurrentFormat: isCurrentFormat, random: random)
      let parts = server.parts(of: whole)
      var merger = IncrementalMerger()
      for part in parts { try merger.merge(Data(part.description.utf8)) }
      try merger.finish()
      let body = try JSONValue(jsonBytes: merger.body())
      guard body == ["data": whole] else {
        Issue.record("seed \(seed): \(body) instead of \(whole), from \(parts)")
        return
      }
    }
  }

  private func randomObject(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    let count = Int.random(in: 0...4, using: &random)
    return .object(
      Dictionary(
        uniqueKeysWithValues: (0..<count).map { ("f\($0)", randomValue(depth: depth, &random)) }))
  }

  private func randomValue(depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth == 0 ? 3 : 7), using: &random) {
    case 0: return .null
    case 1: return .int(Int64.random(in: 0..<9, using: &random))
    case 2: return .string("a \"quoted\" text")
    case 3, 4: return randomObject(depth: depth - 1, &random)
    default:
      let count = Int.random(in: 0...3, using: &random)
      return .array((0..<count).map { _ in randomObject(depth: depth - 1, &random) })
    }
  }

  /// Sends an object in parts: some members of objects and the ends of some lists come later.
  private struct Server {
    let isCurrentFormat: Bool
    var random: SeededGenerator

    /// Something that is left out, and can be sent when what is around it has been sent.
    struct Work {
      var path: [JSONValue]
      var value: JSONValue
      var isStream: Bool
      var id: String
    }

    private var waiting: [Work] = []
    private var announced: [Work] = []
    private var nextID = 0

    init(isCurrentFormat: Bool, random: SeededGenerator) {
      self.isCurrentFormat = isCurrentFormat
      self.random = random
    }

    mutating func parts(of whole: JSONValue) -> [JSONValue] {
      var first: [String: JSONValue] = ["data": reduce(whole, at: [])]
      add(announcements(), to: &first)
      var parts = [first]
      while !waiting.isEmpty {
        var part: [String: JSONValue] = [:]
        var (incremental, completed): ([JSONValue], [JSONValue]) = ([], [])
        for _ in 0..<Int.random(in: 1...2, using: &random) where !waiting.isEmpty {
          let work = waiting.remove(at: Int.random(in: waiting.indices, using: &random))
          incremental += entries(of: work)
          completed.append(["id": .string(work.id)])
        }
        part["incremental"] = .array(incremental)
        add(announcements(), to: &part)
        if isCurrentFormat { part["completed"] = .array(completed) }
        parts.append(part)
      }
      return parts.enumerated().map { index, part in
        .object(part.merging(["hasNext": .bool(index + 1 < parts.count)]) { $1 })
      }
    }

    private mutating func announcements() -> [JSONValue] {
      defer { announced = [] }
      return announced.map { ["id": .string($0.id), "path": .array($0.path)] }
    }

    private func add(_ pending: [JSONValue], to part: inout [String: JSONValue]) {
      if isCurrentFormat, !pending.isEmpty { part["pending"] = .array(pending) }
    }

    private mutating func entries(of work: Work) -> [JSONValue] {
      guard work.isStream, let items = work.value.arrayValue else {
        // The value first, as it may leave something out in turn.
        let data = reduce(work.value, at: work.path)
        return [entry(of: work, ["data": data], at: work.path)]
      }
      let start = work.path.last?.intValue ?? 0
      let list = Array(work.path.dropLast())
      return items.enumerated().map { offset, item in
        let path = list + [.int(Int64(start + offset))]
        return entry(of: work, ["items": [reduce(item, at: path)]], at: path)
      }
    }

    private func entry(
      of work: Work, _ members: [String: JSONValue], at path: [JSONValue]
    ) -> JSONValue {
      let place: [String: JSONValue] =
        isCurrentFormat ? ["id": .string(work.id)] : ["path": .array(path)]
      return .object(members.merging(place) { $1 })
    }

    /// Returns a value without what is sent later.
    private mutating func reduce(_ value: JSONValue, at path: [JSONValue]) -> JSONValue {
      switch value {
      case .object(let members):
        var (now, later): ([String: JSONValue], [String: JSONValue]) = ([:], [:])
        for (key, member) in members.sorted(by: { $0.key < $1.key }) {
          if Int.random(in: 0..<4, using: &random) == 0 {
            later[key] = member
          } else {
            now[key] = reduce(member, at: path + [.string(key)])
          }
        }
        if !later.isEmpty { postpone(.object(later), at: path, isStream: false) }
        return .object(now)
      case .array(let elements):
        let count =
          Bool.random(using: &random)
          ? elements.count : Int.random(in: 0...elements.count, using: &random)
        if count < elements.count {
          let place = isCurrentFormat ? path : path
          postpone(
            .array(Array(elements[count...])), at: place, isStream: true, index: count)
        }
        return .array(
          elements[..<count].enumerated().map {
            reduce($0.element, at: path + [.int(Int64($0.offset))])
          })
      default: return value
      }
    }

    private mutating func postpone(
      _ value: JSONValue, at path: [JSONValue], isStream: Bool, index: Int = 0
    ) {
      let id = String(nextID)
      nextID += 1
      announced.append(Work(path: path, value: value, isStream: isStream, id: id))
      let start: [JSONValue] = isStream ? [.int(Int64(index))] : []
      waiting.append(Work(path: path + start, value: value, isStream: isStream, id: id))
    }
  }
}
