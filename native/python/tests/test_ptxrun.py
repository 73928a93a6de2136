"""The installed package, by pytest: `python -m pytest native/python/tests`, where ptxrun is installed or on PYTHONPATH."""

import ctypes
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ptxrun

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
#: out[i] += s for i below n, of f32 and of f64, and each thread's index shifted by n.
KERNELS = f"""{HEAD}.extern .shared .align 4 .b32 s[];
.visible .entry add_f32(.param .u64 out, .param .f32 s, .param .u32 n) {{
  .reg .b64 %d<3>; .reg .b32 %r<3>; .reg .f32 %f<3>; .reg .pred %p;
  ld.param.u64 %d1, [out]; ld.param.f32 %f1, [s]; ld.param.u32 %r2, [n];
  mov.u32 %r1, %tid.x; setp.ge.u32 %p, %r1, %r2; @%p exit;
  mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2;
  ld.global.f32 %f2, [%d1]; add.f32 %f2, %f2, %f1; st.global.f32 [%d1], %f2; exit;
}}
.visible .entry add_f64( // out, s
    .param .u64 .ptr .align 8 out, .param .f64 s) {{
  .reg .b64 %d<3>; .reg .b32 %r; .reg .f64 %f<3>;
  ld.param.u64 %d1, [out]; ld.param.f64 %f1, [s];
  mov.u32 %r, %ctaid.y; mul.wide.u32 %d2, %r, 8; add.u64 %d1, %d1, %d2;
  ld.global.f64 %f2, [%d1]; add.f64 %f2, %f2, %f1; st.global.f64 [%d1], %f2; exit;
}}
.visible .entry shifted(.param .u64 out, .param .s32 by) {{
  .reg .b64 %d<3>; .reg .b32 %r<3>;
  ld.param.u64 %d1, [out]; ld.param.s32 %r2, [by]; mov.u32 %r1, %tid.x;
  st.shared.s32 [s], %r2; ld.shared.s32 %r2, [s];
  mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; add.s32 %r1, %r1, %r2; st.global.s32 [%d1], %r1; exit;
}}
"""


def test_arrays_are_changed_in_place() -> None:
    out = np.arange(8, dtype=np.float32)
    ptxrun.run(KERNELS, 1, 32, [out, 0.5, 7])
    assert out.tolist() == [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.0]
    ptxrun.run(KERNELS, 1, 32, [out, np.float32(-0.5), np.uint32(7)], kernel="add_f32")
    assert out.tolist() == list(range(8))


def test_a_number_becomes_what_the_parameter_is() -> None:
    out = np.zeros(3)
    for value in (0.1, np.float64(0.1), ctypes.c_double(0.1)):
        ptxrun.run(KERNELS, (1, 3), 1, [out, value], kernel="add_f64")
    assert out.tolist() == [0.1 + 0.1 + 0.1] * 3
    ptxrun.run(KERNELS, (1, 3, 1), 1, [out, -1], kernel="add_f64")
    assert out.tolist() == [0.1 + 0.1 + 0.1 - 1] * 3
    # Of another width than the parameter's, and no float at all.
    for number in (np.float32(0.5), np.float16(0.5), ctypes.c_float(0.5), np.int8(-1), ctypes.c_int16(-1)):
        out[:] = 1
        ptxrun.run(KERNELS, (1, 3), 1, [out, number], kernel="add_f64")
        assert out.tolist() == [1.5 if "5" in str(number) else 0] * 3
    single = np.ones(1, dtype=np.float32)
    ptxrun.run(KERNELS, 1, 1, [single, np.float64(0.25), np.int64(1)])
    assert single.tolist() == [1.25]
    words = (ctypes.c_int32 * 4)()
    ptxrun.run(KERNELS, block=4, args=[words, -2], kernel="shifted", shared=4)
    assert list(words) == [-2, -1, 0, 1]


def test_a_fault_is_an_exception_with_its_line() -> None:
    out = np.zeros(4, dtype=np.float32)
    with pytest.raises(ptxrun.PtxError, match="just past the end of argument 0") as caught:
        ptxrun.run(KERNELS, 1, 32, [out, 1.0, 5])
    assert (caught.value.code, caught.value.exit_code) == ("PTX3002", 4)
    assert "ld.global.f32 %f2, [%d1]" in caught.value.diagnostic
    # What it has done before stays, and the next launch is none the worse.
    ptxrun.run(KERNELS, 1, 32, [out, 1.0, 4])
    assert out[3] >= 1


@pytest.mark.parametrize(
    ("text", "arguments", "more", "code"),
    [
        ("frobnicate", [], {}, "PTX1101"),
        (KERNELS, [1], {}, "PTX2205"),
        (KERNELS, [], {"kernel": "ad_f32"}, "PTX2203"),
        (KERNELS, [0, 0, 0], {"block": 2000}, "PTX2207"),
    ],
)
def test_what_cannot_run_says_why(text: str, arguments: list, more: dict, code: str) -> None:
    with pytest.raises(ptxrun.PtxError) as caught:
        ptxrun.run(text, args=arguments, **more)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("value", "wrong", "says"),
    [
        (np.zeros(8, dtype=np.float32)[::2], ValueError, "argument 0 is an array with gaps"),
        (np.frombuffer(b"12345678", dtype=np.float32), ValueError, "argument 0 is an array that is read-only"),
        ([1.0, 2.0], TypeError, "argument 0 is a list"),
        (2**64, OverflowError, "argument 0 is 18446744073709551616, which .u64 does not hold"),
        (1.5, TypeError, "argument 0 is a float, and the parameter is .u64"),
    ],
)
def test_an_argument_that_cannot_be_one(value: object, wrong: type, says: str) -> None:
    with pytest.raises(wrong, match=says):
        ptxrun.run(KERNELS, args=[value, 1.0, 1])


def test_arguments_and_parameters_of_other_kinds() -> None:
    out = np.zeros(1, dtype=np.float32)
    with pytest.raises(TypeError, match="argument 1 is an array, and the parameter is .f32"):
        ptxrun.run(KERNELS, args=[out, out, 1])
    with pytest.raises(OverflowError, match="argument 2 is 4294967296, which .u32 does not hold"):
        ptxrun.run(KERNELS, args=[out, 1.0, 2**32])
    structure = f"{HEAD}.visible .entry k(.param .align 8 .b8 s[16]) {{ ret; }}\n"
    with pytest.raises(TypeError, match="a structure, which run cannot pass"):
        ptxrun.run(structure, args=[1])


def test_a_kernel_touches_its_arrays_and_nothing_else() -> None:
    other = np.zeros(4, dtype=np.float32)
    with pytest.raises(ptxrun.PtxError) as caught:
        ptxrun.run(KERNELS, args=[other.ctypes.data, 1.0, 1])
    assert (caught.value.code, other[0]) == ("PTX3002", 0)


def test_lint_and_explain() -> None:
    assert ptxrun.lint(KERNELS) == []
    (found,) = ptxrun.lint(f"{HEAD}.visible .entry k() {{ .reg .b32 %a;\n  add.u32 %a, %a; ret; }}\n")
    assert (found.code, found.severity, found.line, found.column) == ("PTX1301", "error", 5, 3)
    assert "round.rn.f16(a * b + c)" in ptxrun.explain("fma.rn.f16 a=1.5 b=2 c=0")
    with pytest.raises(ptxrun.PtxError) as caught:
        ptxrun.explain("PTX0000")
    assert caught.value.code == "PTX2301"


def test_the_command() -> None:
    said = subprocess.run([sys.executable, "-m", "ptxrun", "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == ptxrun.__version__


TESTS = f"""
import ctypes

TEXT = b'''{HEAD}
.visible .entry k(.param .u64 a) {{
  .reg .b64 %d<3>; .reg .b32 %r;
  ld.param.u64 %d1, [a]; mov.u32 %r, %tid.x; mul.wide.u32 %d2, %r, 4; add.u64 %d1, %d1, %d2;
  st.global.u32 [%d1], %r; ret;
}}
'''


def launch(threads):
    cuda = ctypes.CDLL("libcuda.so.1")
    device, context, module, kernel, data = ctypes.c_int(), *(ctypes.c_void_p() for _ in range(4))
    assert cuda.cuInit(0) == 0
    assert cuda.cuCtxCreate_v2(ctypes.byref(context), 0, device) == 0
    assert cuda.cuModuleLoadData(ctypes.byref(module), TEXT) == 0
    assert cuda.cuModuleGetFunction(ctypes.byref(kernel), module, b"k") == 0
    assert cuda.cuMemAlloc_v2(ctypes.byref(data), ctypes.c_size_t(64)) == 0
    pointers = (ctypes.c_void_p * 1)(ctypes.addressof(data))
    cuda.cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, None, pointers, None)
    return cuda.cuCtxSynchronize()


def test_well():
    assert launch(16) == 0


def test_that_looks_at_no_result():
    launch(17)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the driver library is Linux's")
def test_cuda_calls_of_tests_run_and_what_is_found_fails_them(tmp_path: Path) -> None:
    (tmp_path / "test_within.py").write_text(TESTS, encoding="utf-8")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "ptxrun.pytest_plugin", "--ptxrun"]
    said = subprocess.run([*words, "-rA"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in said.stdout, said.stdout + said.stderr
    assert "PASSED test_within.py::test_well" in said.stdout
    assert "error PTX3002: st.global.u32 writes 4 bytes" in said.stdout
    wrong = subprocess.run([*words, "--ptxrun-options=--nothing"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (wrong.returncode, "PTX2001" in wrong.stderr) == (2, True), wrong.stdout + wrong.stderr
