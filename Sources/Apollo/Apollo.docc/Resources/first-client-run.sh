swift run MyApp
