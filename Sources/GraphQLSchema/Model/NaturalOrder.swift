import GraphQLSyntax

/// Returns whether `first` precedes `second` in natural order: `f2` before `f10`.
///
/// Runs of digits are compared as numbers, all other text byte by byte.
package func precedesNaturally(_ first: String, _ second: String) -> Bool {
  var left = Substring(first).utf8
  var right = Substring(second).utf8
  while let a = left.first, let b = right.first {
    if a.isDigit && b.isDigit {
      let order = compareNumbers(popDigits(&left), popDigits(&right))
      if order != 0 { return order < 0 }
    } else {
      if a != b { return a < b }
      left = left.dropFirst()
      right = right.dropFirst()
    }
  }
  return first.utf8.count < second.utf8.count
}

/// Removes and returns one number: a single zero, or all digits up to the next other byte.
private func popDigits(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
  let end =
    text.first == UInt8(ascii: "0")
    ? text.index(after: text.startIndex) : text.firstIndex { !$0.isDigit } ?? text.endIndex
  defer { text = text[end...] }
  return text[..<end]
}

/// Compares two numbers without leading zeros. The result is negative if the first one is smaller.
private func compareNumbers(_ first: Substring.UTF8View, _ second: Substring.UTF8View) -> Int {
  if first.count != second.count { return first.count - second.count }
  for (a, b) in zip(first, second) where a != b { return a < b ? -1 : 1 }
  return 0
}
