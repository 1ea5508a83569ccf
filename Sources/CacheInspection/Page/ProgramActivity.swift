package import ApolloAPI

/// The events of a running program, for the page that shows its cache.
///
/// A protocol although `StoreObservation` alone conforms: that is in a module above this one.
package protocol ProgramActivity: Sendable {
  /// A text that is another one after each event, and after each change of watches and layers.
  var version: String { get }

  /// Returns the events after one, and the number of the latest event.
  ///
  /// ```json
  /// {"latest": 2, "events": [{"number": 1, "call": "7", "operation": "query Hero", "at": 1764262800.5,
  ///  "milliseconds": 0.1, "kind": "cacheRead", "text": "miss 0.0 ms"}]}
  /// ```
  ///
  /// `at` is in seconds since 1970. An event can have `variables` (JSON text) and `headers`
  /// (lines), and the last one of a call has `isLast`.
  func events(after number: Int) -> JSONValue

  /// Returns the watches and the layers.
  ///
  /// ```json
  /// {"watchCount": 1, "watches": [{"number": "3", "name": "HeroQuery", "recordCount": 1,
  ///  "dependsOnEverything": false, "records": [{"key": "Hero:1", "fields": ["name"]}]}],
  ///  "layers": [{"number": "1", "state": "optimistic", "isWaiting": false, "recordCount": 1,
  ///  "records": [{"key": "Hero:1", "value": {"name": "Luke"}}]}]}
  /// ```
  func state() -> JSONValue
}
