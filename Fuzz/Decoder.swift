// modules: ApolloAPI ShapesAPI
// dictionary: response.dict
import ApolloAPI
import ShapesAPI

/// Bytes are accepted exactly when they are JSON. A model that was read can be inspected, written
/// and read again without a change.
///
/// The first byte chooses the operation and its variables, the rest is what a server answers.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoder(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard let choice = input.first else { return 0 }
  let text = Array(input.dropFirst())
  let isJSON = compareWithReference(text)
  let (more, less) = (choice & 8 != 0, choice & 16 != 0)
  switch choice & 7 {
  case 0: check(LeavesQuery(), text, isJSON)
  case 1: check(LeafListsQuery(), text, isJSON)
  case 2: check(ObjectsQuery(), text, isJSON)
  case 3: check(PaintMutation(id: "1", color: .case(.red)), text, isJSON)
  default: check(ThingsQuery(more: more, less: less), text, isJSON)
  }
  return 0
}

/// Optimized code says nothing when a precondition fails.
private func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
  if !condition { fatalError("This does not hold: \(promise())") }
}

/// The limit for nested inputs. An instrumented program soon uses up its stack.
private let limits = ResponseLimits(depth: 64)

/// Reads the bytes as any JSON, and returns whether they are. An implementation without tricks has
/// to agree.
private func compareWithReference(_ text: [UInt8]) -> Bool {
  var reference = ReferenceJSON(text, depth: limits.depth)
  let isJSON = reference.isJSON()
  do throws(ResponseError) {
    let value = try JSONValue(jsonBytes: text, limits: limits)
    require(isJSON, "What is not JSON is refused.")
    let written = value.description
    let again = try? JSONValue(jsonBytes: Array(written.utf8), limits: limits)
    require(again == value, "What is written is read as what it was.")
    require(again?.description == written, "Equal values are written alike.")
  } catch {
    require(!isJSON, "JSON is accepted: \(error)")
    require((error.byteOffset ?? 0) <= text.count, "An error is at a place that exists.")
  }
  return isJSON
}

private func check<Operation: GraphQLOperation>(
  _ operation: Operation, _ text: [UInt8], _ isJSON: Bool
) {
  let response: GraphQLResponse<Operation>
  do throws(ResponseError) {
    response = try ResponseDecoder(limits: limits).decode(text, as: operation)
  } catch {
    require((error.byteOffset ?? 0) <= text.count, "An error is at a place that exists.")
    require(!error.description.isEmpty, "An error has a description.")
    return
  }
  // A byte order mark is not JSON, and allowed before a response.
  require(isJSON || text.starts(with: [0xEF, 0xBB, 0xBF]), "What is not JSON is refused.")
  guard let data = response.data else {
    return require(response.errors?.isEmpty == false, "No data without an error.")
  }
  require(!data.debugDescription.isEmpty, "A model has a description.")
  let written = data.jsonBytes
  do {
    // Objects that a `null` of their fields removed are `null` now, so the text is a new response.
    let again = try Operation.Data(jsonBytes: written, variables: operation.__variables)
    require(again == data && again.hashValue == data.hashValue, "Equal when read again.")
    require(again.jsonBytes == written, "Writing is a fixpoint.")
    let value = try JSONValue(jsonBytes: written)
    require(value == data.jsonValue, "Both ways of writing say the same.")
    // Foundation's numbers have 38 digits at most. A longer number is read as another one.
    guard try JSONValue(foundationValue: data.jsonObject) == value else { return }
    let throughJSON = try Operation.Data(
      jsonObject: data.jsonObject, variables: operation.__variables)
    require(throughJSON == data, "Equal by way of Foundation's objects.")
  } catch {
    fatalError("What a model writes can be read: \(error)")
  }
}

/// Recognizes JSON (RFC 8259) in the plainest way: one function for each rule of its grammar, one
/// byte at a time.
private struct ReferenceJSON {
  private let bytes: [UInt8]
  private let limit: Int
  private var position = 0
  private var depth = 0

  init(_ bytes: [UInt8], depth limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  /// JSON-text = ws value ws, in UTF-8, and not nested too deeply.
  mutating func isJSON() -> Bool {
    position = 0
    var iterator = bytes.makeIterator()
    var utf8 = UTF8()
    decoding: while true {
      switch utf8.decode(&iterator) {
      case .scalarValue: continue
      case .error: return false
      case .emptyInput: break decoding
      }
    }
    skipSpace()
    guard value() else { return false }
    skipSpace()
    return position == bytes.count
  }

  private mutating func value() -> Bool {
    guard position < bytes.count else { return false }
    switch Character(Unicode.Scalar(bytes[position])) {
    case "{": return members("}") { $0.string() && $0.separator(":") && $0.value() }
    case "[": return members("]") { $0.value() }
    case "\"": return string()
    case "t": return word("true")
    case "f": return word("false")
    case "n": return word("null")
    default: return number()
    }
  }

  private mutating func members(
    _ closing: Character, _ member: (inout ReferenceJSON) -> Bool
  ) -> Bool {
    position += 1
    depth += 1
    guard depth <= limit else { return false }
    defer { depth -= 1 }
    skipSpace()
    if take(closing) { return true }
    repeat {
      skipSpace()
      guard member(&self) else { return false }
      skipSpace()
    } while take(",")
    return take(closing)
  }

  private mutating func separator(_ character: Character) -> Bool {
    skipSpace()
    guard take(character) else { return false }
    skipSpace()
    return true
  }

  private mutating func word(_ word: String) -> Bool { word.allSatisfy { take($0) } }

  private mutating func number() -> Bool {
    _ = take("-")
    if !take("0") { guard digits() else { return false } }
    if take(".") { guard digits() else { return false } }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() else { return false }
    }
    return true
  }

  private mutating func digits() -> Bool {
    let start = position
    while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
    return position > start
  }

  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while position < bytes.count {
      if take("\"") { return true }
      guard bytes[position] >= 0x20 else { return false }
      if take("\\") {
        guard escape() else { return false }
      } else {
        position += 1
      }
    }
    return false
  }

  private mutating func escape() -> Bool {
    if "\"\\/bfnrt".contains(where: { take($0) }) { return true }
    guard let first = codeUnit() else { return false }
    switch first {
    case 0xD800..<0xDC00:
      guard take("\\"), let second = codeUnit() else { return false }
      return (0xDC00..<0xE000).contains(second)
    case 0xDC00..<0xE000: return false
    default: return true
    }
  }

  /// `u` and four hexadecimal digits.
  private mutating func codeUnit() -> UInt32? {
    guard take("u"), position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value * 16 + UInt32(digit)
    }
    position += 4
    return value
  }

  private mutating func skipSpace() {
    while take(" ") || take("\t") || take("\n") || take("\r") {}
  }

  private mutating func take(_ character: Character) -> Bool {
    guard position < bytes.count, bytes[position] == character.asciiValue else { return false }
    position += 1
    return true
  }
}
