"""Lists the cells of each given xlsx file that hold a formula, as one JSON object by file name."""

import json
import os
import sys
import zipfile
from xml.etree import ElementTree

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"

found = {}
for path in sys.argv[1:]:
    with zipfile.ZipFile(path) as archive, archive.open("xl/worksheets/sheet1.xml") as sheet:
        cells = list(ElementTree.parse(sheet).iter(SHEET + "c"))
    formulas = [cell.get("r") for cell in cells if cell.find(SHEET + "f") is not None]
    found[os.path.basename(path)] = {"cells": len(cells), "formulas": formulas}
print(json.dumps(found))
