/// The open objects and lists of a JSON value under construction, and their values so far.
struct OpenValues {
  private var containers: [Container] = []
  private var values: [JSONValue] = []
  private var keys: [String] = []

  private struct Container {
    let closing: UInt8
    let firstValue: Int
    let firstKey: Int
  }

  /// The closing byte of the innermost object or list, or `nil` when none is open.
  var closing: UInt8? { containers.last?.closing }

  /// The value, once nothing is open any more.
  var result: JSONValue { values[0] }

  mutating func append(_ value: JSONValue) { values.append(value) }

  mutating func append(key: String) { keys.append(key) }

  mutating func open(_ closing: UInt8) {
    containers.append(
      Container(closing: closing, firstValue: values.count, firstKey: keys.count))
  }

  /// Makes one value of the innermost object or list.
  mutating func close() {
    let container = containers.removeLast()
    let value = value(of: container)
    keys.removeSubrange(container.firstKey...)
    values.removeSubrange(container.firstValue...)
    values.append(value)
  }

  private func value(of container: Container) -> JSONValue {
    let members = values[container.firstValue...]
    guard container.closing == UInt8(ascii: "}") else { return .array(Array(members)) }
    let pairs = zip(keys[container.firstKey...], members)
    return .object(Dictionary(pairs, uniquingKeysWith: { $1 }))
  }
}
