// Shows a list of 10,000 products, page by page.
//
//   swift run Catalog http://127.0.0.1:…/graphql

import ApolloPagination
import CatalogAPI
import Foundation

@main struct Catalog {
  @MainActor static func main() async throws {
    guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else {
      FileHandle.standardError.write(Data("Usage: Catalog <URL of the server>\n".utf8))
      exit(2)
    }
    let apollo = ApolloClient(url: url)

    // A screen shows the products of a list that it observes.
    let pages = ObservablePages(apollo.products(perPage: 50))
    await pages.refetch().value
    print("A page: \(pages.items.count) products, from \(pages.items[0].name)")
    await pages.loadNext().value
    print("Two pages: \(pages.items.count) products, more to come: \(pages.canLoadNext)")

    // The result of a mutation appears in the list.
    _ = try await apollo.perform(
      mutation: RenameProductMutation(id: pages.items[2].id, name: "Kite"))
    while pages.items[2].name != "Kite" { await Task.yield() }
    print("The third one, after a mutation: \(pages.items[2].name)")

    // All pages, and then the whole list at once.
    let all = apollo.products(perPage: 100)
    var results = all.updates.makeAsyncIterator()
    try await all.loadAll()
    if let products = try await results.next()?.get() {
      print("All: \(products.count) products, to \(products[products.count - 1].name)")
    }

    // From the end, and by offset. The pages of a sequence are loaded when they are asked for.
    let last = apollo.productsFromTheEnd(perPage: 3)
    await last.fetch()
    try await last.loadPrevious()
    for await result in last.updates.prefix(1) {
      let names = try result.get().allData.flatMap { $0.products.edges.map(\.node.name) }
      print("From the end: \(names.joined(separator: ", "))")
    }
    var count = 0
    for try await page in apollo.productsByOffset(perPage: 100).pages() {
      count += 1
      if let product = page.productPage.first(where: { $0.name == "Product 1234" }) {
        print("\(product.name) is on page \(count)")
        break
      }
    }
  }
}
