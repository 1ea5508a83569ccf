internal import ApolloAPI
internal import ApolloCache
internal import CacheInspection

/// The calls of a client, and the watches and layers of its store, for the page.
struct StoreObservation: ProgramActivity {
  let store: ApolloStore
  let log: CallLog

  /// The greatest numbers that the page shows.
  private static let (mostEvents, mostWatches, mostRecords) = (500, 500, 100)

  var version: String { "\(log.latest) \(store.activityVersion)" }

  func events(after number: Int) -> JSONValue {
    let (events, latest) = log.events(after: number, atMost: Self.mostEvents)
    return ["events": .array(events), "latest": .int(Int64(latest))]
  }

  func state() -> JSONValue {
    let activity = store.activity(watchesAtMost: Self.mostWatches)
    return [
      "watchCount": .int(Int64(activity.watchCount)),
      "watches": .array(activity.watches.map(watch)),
      "layers": .array(activity.layers.map(layer)),
    ]
  }

  private func watch(_ watch: StoreActivity.Watch) -> JSONValue {
    let fields = Dictionary(grouping: watch.dependencies, by: \.record)
      .sorted { $0.key < $1.key }
      .map { ($0.key, Set($0.value.flatMap(\.fields)).sorted()) }
    return [
      "number": .string("\(watch.number)"), "name": watch.name.map(JSONValue.string) ?? .null,
      "dependsOnEverything": .bool(watch.dependsOnEverything),
      "recordCount": .int(Int64(fields.count)),
      "records": .array(
        fields.prefix(Self.mostRecords).map { key, fields in
          [
            "key": .string(key.rawValue),
            "fields": .array(fields.map { .string($0.rawValue) }),
          ]
        }),
    ]
  }

  private func layer(_ layer: StoreActivity.Layer) -> JSONValue {
    [
      "number": .string("\(layer.number)"), "state": .string(layer.state.rawValue),
      "isWaiting": .bool(layer.isWaiting),
      "recordCount": .int(Int64(layer.records.count)),
      "records": .array(
        layer.records.prefix(Self.mostRecords).map { key, fields in
          [
            "key": .string(key.rawValue),
            "value": fields.map { PageValue.json(StoredValue.json($0)) } ?? .null,
          ]
        }),
    ]
  }
}

extension StoreActivity.Watch {
  /// The name of the type that is watched, without its module: `HeroNameQuery` for the data of that
  /// query.
  var name: String? {
    guard let subject else { return nil }
    var parts = String(reflecting: subject).split(separator: ".").dropFirst()
    if parts.count > 1, parts.last == "Data" { parts.removeLast() }
    return parts.joined(separator: ".")
  }
}
