"""Tests of Examples/Proxies and of the article that shows them."""

import pathlib
import re
import unittest

root = pathlib.Path(__file__).resolve().parents[2]
examples = root / "Examples/Proxies"
article = root / "Sources/Apollo/Apollo.docc/BehindAProxy.md"


class ProxiesTests(unittest.TestCase):
    def test_the_article_shows_each_configuration_word_for_word(self):
        blocks = re.findall(r"^```(?!swift)\w+\n(.*?)^```$", article.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        files = [path for path in sorted(examples.glob("*/*")) if path.is_file()]
        self.assertGreater(len(files), 8)
        for path in files:
            with self.subTest(path.relative_to(root)):
                self.assertIn(path.read_text(encoding="utf-8"), blocks)
        self.assertEqual(len(blocks), len(files), "The article shows a configuration that is not in Examples/Proxies.")


if __name__ == "__main__":
    unittest.main()
