#!/usr/bin/env python3
"""What examples/image/blur.cu makes of face.pgm, in rationals and f32 rounding: the expected blurred.npy."""
import os
from fractions import Fraction


folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "image")


def f32(value):
    """A rational rounded to the nearest f32, ties to even."""
    if value == 0:
        return Fraction(0)
    exponent = 0
    while value >= 2 ** (exponent + 1):
        exponent += 1
    while value < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (exponent - 23)
    return round(value / unit) * unit  # Python rounds ties to even


with open(os.path.join(folder, "face.pgm"), "rb") as file:
    data = file.read()
width, height = 24, 16
pixels = data[-width * height:]


def texel(x, y):
    x, y = min(max(x, 0), width - 1), min(max(y, 0), height - 1)
    return Fraction(pixels[y * width + x], 255)


def mean(x, y):
    """Linear filtering at (x, y): half a texel from each of four."""
    return f32(sum(texel(i, j) for i in (x - 1, x) for j in (y - 1, y)) / 4)


blurred = bytearray()
for y in range(height):
    for x in range(width):
        total = f32(f32(f32(mean(x, y) + mean(x + 1, y)) + mean(x, y + 1)) + mean(x + 1, y + 1))
        blurred.append(round(f32(total * Fraction(255, 4))))

head = b"{'descr': '|u1', 'fortran_order': False, 'shape': (%d, %d), }" % (height, width)
head = head.ljust(117) + b"\n"
with open(os.path.join(folder, "blurred.npy"), "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + bytes(blurred))
