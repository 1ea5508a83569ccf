/// The version of this library, as servers see it.
package enum LibraryVersion {
  /// The tag of the release.
  package static let text = "0.1.0"
}
