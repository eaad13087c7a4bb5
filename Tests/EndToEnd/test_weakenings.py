"""The weakenings fit the program and the tests as they are; that each is noticed is for weakened.py to show."""

import pathlib
import tempfile
import unittest

import weakened
import weakenings


class WeakeningsTest(unittest.TestCase):
    def test_each_finds_its_place(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder)
            weakened.copy_rooms(source)
            try:
                weakened.weaken(source)
            except SystemExit as error:
                self.fail(error.code)

    def test_each_has_a_test(self):
        rows, loader = weakened.rows(), unittest.TestLoader()
        for case, names in rows:
            self.assertLessEqual(set(names), set(weakenings.PATCHES), case)
            loader.loadTestsFromName(case)
        self.assertEqual(loader.errors, [])
        self.assertEqual({name for _, names in rows for name in names}, set(weakenings.PATCHES))
