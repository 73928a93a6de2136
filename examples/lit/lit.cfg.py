import os
import tempfile

import lit.formats

config.name = "nvptx"
config.test_format = lit.formats.ShTest()
config.suffixes = [".ll"]
config.test_exec_root = os.path.join(tempfile.gettempdir(), "ptxrun-lit")
config.environment["PATH"] = "/usr/lib/llvm-14/bin:" + os.environ["PATH"]
