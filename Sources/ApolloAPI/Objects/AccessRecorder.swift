/// Notes the first response key that is read through an ``ObjectLayout``.
///
/// `@unchecked Sendable` because it belongs to a layout that only one function call knows.
final class AccessRecorder: @unchecked Sendable {
  private(set) var key: String?

  func record(_ key: String) { self.key = self.key ?? key }
}
