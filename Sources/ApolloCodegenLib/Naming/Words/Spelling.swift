/// Suggestions for misspelt names.
package enum Spelling {
  /// Returns the candidate with the smallest edit distance.
  ///
  /// If even that one is too different, returns the shortest candidate that starts with the word.
  package static func nearest(to word: String, in candidates: [String]) -> String? {
    let ranked = candidates.map { (candidate: $0, distance: distance(word, $0)) }
    if let best = ranked.min(by: { $0.distance < $1.distance }),
      best.distance <= max(2, word.count / 2)
    {
      return best.candidate
    }
    guard word.count >= 3 else { return nil }
    return candidates.filter { $0.lowercased().hasPrefix(word.lowercased()) }
      .min { $0.count < $1.count }
  }

  /// Returns the Levenshtein distance of two words, ignoring letter case.
  ///
  /// - Complexity: O(*n* × *m*).
  package static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first.lowercased().unicodeScalars.prefix(200))
    let b = Array(second.lowercased().unicodeScalars.prefix(200))
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let substitution = diagonal + (a[i] == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(substitution, row[j + 1] + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}
