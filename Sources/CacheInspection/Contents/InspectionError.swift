/// A failure of an inspection, as a sentence.
package struct InspectionError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
