/// A recorder of the first response key that is read through an ``ObjectLayout``.
///
/// `@unchecked Sendable` because it belongs to a layout that is local to one function call.
final class AccessRecorder: @unchecked Sendable {
  private(set) var key: String?

  func record(_ key: String) { self.key = self.key ?? key }
}
