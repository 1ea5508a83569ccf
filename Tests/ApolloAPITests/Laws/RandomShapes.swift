import ApolloAPI
import SeededRandom
import ShapesAPI

/// Random responses to the operations of `ShapesAPI`, from few values, so that equal ones occur.
///
/// Every object has every field of its type, under all response keys of all operations, whether or
/// not the operation at hand selects it there: fields that are not selected must make no
/// difference.
struct RandomShapes {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// Returns the data of `Query`.
  mutating func data() -> JSONValue {
    [
      "leaves": nullable { $0.leaves() },
      "leafLists": nullable { $0.leafLists() },
      "objects": nullable { $0.objects() },
      "thing": nullable { $0.thing(6) },
      "several": nullable { $0.list { $0.nullable { $0.thing(5) } } },
      "either": nullable { $0.oneOf([{ $0.ball(5) }, { $0.person(5) }]) },
      "node": nullable { $0.oneOf([{ $0.ball(5) }, { $0.person(5) }, { $0.box(5) }]) },
    ]
  }

  // MARK: - Objects

  private mutating func leaves() -> JSONValue {
    [
      "__typename": "Leaves", "string": nullable { $0.text() }, "int": nullable { $0.int() },
      "float": nullable { $0.float() }, "boolean": nullable { $0.bool() },
      "id": nullable { $0.id() },
      "color": nullable { $0.color() }, "date": nullable { $0.date() },
      "url": nullable { $0.url() },
      "uuid": nullable { $0.uuid() }, "decimal": nullable { $0.decimal() }, "json": json(2),
      "long": nullable { $0.int() }, "text": nullable { $0.text() }, "certainString": text(),
      "certainInt": int(), "certainFloat": float(), "certainBoolean": bool(), "certainID": id(),
      "certainColor": color(), "certainDate": date(),
    ]
  }

  private mutating func leafLists() -> JSONValue {
    [
      "__typename": "LeafLists",
      "strings": nullable { $0.list { $0.nullable { $0.text() } } },
      "certainStrings": list { $0.text() },
      "ints": nullable { $0.list { $0.nullable { $0.int() } } },
      "certainInts": nullable { $0.list { $0.int() } },
      "floats": list { $0.float() },
      "booleans": list { $0.nullable { $0.bool() } },
      "ids": nullable { $0.list { $0.id() } },
      "colors": nullable { $0.list { $0.nullable { $0.color() } } },
      "certainColors": list { $0.color() },
      "dates": nullable { $0.list { $0.date() } },
      "jsons": nullable { $0.list { $0.json(2) } },
      "decimals": list { $0.nullable { $0.decimal() } },
      "texts": nullable { $0.list { $0.nullable { $0.text() } } },
      "matrix": nullable { $0.list { $0.list { $0.float() } } },
      "grid": nullable { $0.list { $0.nullable { $0.list { $0.nullable { $0.color() } } } } },
      "cube": nullable {
        $0.list { $0.nullable { $0.list { $0.list { $0.nullable { $0.int() } } } } }
      },
    ]
  }

  private mutating func objects() -> JSONValue {
    [
      "__typename": "Objects",
      "one": nullable { $0.box(2) },
      "certainOne": box(2),
      "many": nullable { $0.list { $0.nullable { $0.box(1) } } },
      "certainMany": list { $0.box(3) },
      "someOfMany": nullable { $0.list { $0.box(1) } },
      "rows": nullable { $0.list { $0.nullable { $0.list { $0.nullable { $0.box(1) } } } } },
      "certainRows": list { $0.list { $0.box(2) } },
      "deep": nullable {
        $0.list {
          $0.nullable { $0.list { $0.nullable { $0.list { $0.nullable { $0.thing(2) } } } } }
        }
      },
    ]
  }

  /// Returns an object with at most `depth` objects nested in it.
  private mutating func thing(_ depth: Int) -> JSONValue {
    oneOf([{ $0.box(depth) }, { $0.ball(depth) }, { $0.newerThing(depth) }])
  }

  private mutating func things(_ depth: Int) -> JSONValue {
    nullable(unless: depth > 0) { $0.list { $0.nullable { $0.thing(depth - 1) } } }
  }

  /// The fields of every `Thing`.
  private mutating func members(_ typename: String, _ depth: Int) -> [String: JSONValue] {
    [
      "__typename": .string(typename), "id": id(), "color": nullable { $0.color() },
      "inches": nullable { $0.int() }, "size": nullable { $0.int() }, "inside": things(depth),
    ]
  }

  private mutating func box(_ depth: Int) -> JSONValue {
    var members = members("Box", depth)
    (members["width"], members["extent"]) = (float(), float())
    members["lid"] = nullable(unless: depth > 0) { $0.box(depth - 1) }
    return .object(members)
  }

  private mutating func ball(_ depth: Int) -> JSONValue {
    var members = members("Ball", depth)
    (members["radius"], members["extent"]) = (float(), float())
    members["owner"] = nullable(unless: depth > 0) { $0.person(depth - 1) }
    return .object(members)
  }

  /// An object of a type that generated code does not know.
  private mutating func newerThing(_ depth: Int) -> JSONValue { .object(members("Cube", depth)) }

  private mutating func person(_ depth: Int) -> JSONValue {
    [
      "__typename": "Person", "id": id(), "name": text(),
      "friends": nullable(unless: depth > 0) { $0.list { $0.person(depth - 1) } },
      "favourite": nullable(unless: depth > 0) { $0.thing(depth - 1) },
    ]
  }

  // MARK: - Leaves

  private mutating func text() -> JSONValue { pick(["", "a", "longer than fifteen bytes", "é🚀"]) }
  private mutating func int() -> JSONValue { pick([0, -1, 7, .int(.max), .int(.min)]) }
  private mutating func float() -> JSONValue { pick([0.5, -2.25, 3, .double(-0.0), 0.0, 1e300]) }
  private mutating func bool() -> JSONValue { pick([true, false]) }
  private mutating func id() -> JSONValue { pick(["1", 1, "a-much-longer-identifier", ""]) }
  private mutating func color() -> JSONValue {
    pick(["RED", "GREEN", "BLUE", "MAUVE", "ULTRAMARINE-VIOLET"])
  }
  private mutating func date() -> JSONValue {
    pick(["2026-11-20T12:30:00Z", "2026-11-20T13:30:00+01:00", "1999-12-31T23:59:59.999Z"])
  }
  private mutating func url() -> JSONValue { pick(["https://example.com", "a?b=c#d"]) }
  private mutating func uuid() -> JSONValue {
    pick(["E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"])
  }
  private mutating func decimal() -> JSONValue {
    pick(["1.10", 1.1, "1.1", 7, "-0.000000000000000001"])
  }

  private mutating func json(_ depth: Int) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
    case 0: nil
    case 1: text()
    case 2: int()
    case 3: bool()
    case 4: .double(0.5)
    case 5: list { $0.json(depth - 1) }
    default: ["a": json(depth - 1), "b": json(depth - 1)]
    }
  }

  // MARK: - Choices

  private mutating func pick(_ values: [JSONValue]) -> JSONValue {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private mutating func oneOf(_ makers: [(inout RandomShapes) -> JSONValue]) -> JSONValue {
    makers[Int.random(in: 0..<makers.count, using: &random)](&self)
  }

  /// A value, or null in one case out of five.
  private mutating func nullable(
    unless mayBeThere: Bool = true, _ make: (inout RandomShapes) -> JSONValue
  ) -> JSONValue {
    guard mayBeThere, Int.random(in: 0..<5, using: &random) > 0 else { return nil }
    return make(&self)
  }

  private mutating func list(_ make: (inout RandomShapes) -> JSONValue) -> JSONValue {
    .array((0..<Int.random(in: 0...2, using: &random)).map { _ in make(&self) })
  }
}

// MARK: - Changes

extension JSONValue {
  /// The number of positions that ``changed(at:)`` can change.
  var placeCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.placeCount }
    case .object(let members): members.values.reduce(0) { $0 + $1.placeCount }
    default: 1
    }
  }

  /// The value with another one at one position: another leaf, or a list with one element less.
  func changed(at position: Int) -> JSONValue {
    var rest = position
    return changed(&rest)
  }

  private func changed(_ position: inout Int) -> JSONValue {
    defer { if case .object = self {} else { position -= 1 } }
    switch self {
    case .array(let elements):
      if position == 0 { return .array(elements.isEmpty ? [nil] : elements.dropLast()) }
      position -= 1
      let result = JSONValue.array(elements.map { $0.changed(&position) })
      position += 1
      return result
    case .object(let members):
      return .object(
        members.sorted { $0.key < $1.key }.reduce(into: [:]) {
          $0[$1.key] = $1.value.changed(&position)
        })
    default: return position == 0 ? another : self
    }
  }

  /// Another leaf of the same kind.
  private var another: JSONValue {
    switch self {
    case .null: 1
    case .bool(let value): .bool(!value)
    case .int(let value): .int(value == .max ? 5 : value + 1)
    case .double(let value): .double(value == 0 ? 1 : value * 2)
    case .string(let text) where text.contains("T"): "2000-01-01T00:00:00Z"
    case .string(let text) where text.contains("-c36c-"): "00000000-c36c-495a-93fc-0c247a3e6e5f"
    // A digit other than 0, which would not change a decimal number.
    case .string(let text): .string(text + "1")
    default: "something else"
    }
  }

  /// The value as text whose objects have their members in descending order.
  var descendingText: String {
    switch self {
    case .array(let elements): "[\(elements.map(\.descendingText).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key > $1.key }.map { "\(JSONValue.string($0.key)): \($0.value.descendingText)" }.joined(separator: " ,"))}"
    default: description
    }
  }
}
