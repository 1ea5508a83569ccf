import Apollo
import Foundation
import MyAPI

let url = URL(string: "http://localhost:8000/graphql")!
let apollo = ApolloClient(url: url)
