// Placeholder so that the package resolves; replaced by the first file of Apollo.
