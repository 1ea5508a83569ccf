mkdir -p MyApp/Sources/MyApp MyApp/Sources/MyAPI MyApp/GraphQL
cd MyApp
