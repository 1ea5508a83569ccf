// Placeholder so that the package resolves; replaced by the first test of Apollo.
