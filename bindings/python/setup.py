# SPDX-License-Identifier: MIT
# Puts what `make python` built into a wheel: /usr/bin/python3 -m pip install --no-build-isolation bindings/python
import pathlib
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERSION = re.search(r"project\(motionloom VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class Built(build_ext):
    """The module is built by CMake, in the build folder of the checkout."""

    def build_extension(self, ext):
        build = ROOT / "build"
        subprocess.check_call(["cmake", "--preset", "release", "-DLOOM_PYTHON=ON", "--log-level=WARNING"], cwd=ROOT)
        subprocess.check_call(["cmake", "--build", str(build), "--target", "loom_python"], cwd=ROOT)
        to = pathlib.Path(self.get_ext_fullpath(ext.name))
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(next((build / "python" / "loom").glob("_loom*.so")), to)


setup(
    name="motionloom",
    version=VERSION,
    description="Recorded human motion woven into characters one can direct",
    license="MIT",
    packages=["loom"],
    package_dir={"loom": "loom"},
    package_data={"loom": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("loom._loom", [])],
    cmdclass={"build_ext": Built},
    python_requires=">=3.9",
    install_requires=["numpy"],
    zip_safe=False,
)
