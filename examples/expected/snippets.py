"""Checks the cases of straight-line snippets against exact.py, without ptxrun.

    python3 examples/expected/snippets.py examples/half/*.ptx        exit 1 and a line for each case that differs
    python3 examples/expected/snippets.py --fill FILES               writes the value where a case says `d=?`

A snippet is evaluated as Python integers: registers are names, predicates 0 or 1, `x=u32x2:1,2` a buffer of words.
Of `d~VALUE ulp 1` the value has to be the exact one.
"""
import re
import sys

import exact

RESULT = re.compile(r"([\w.]+)([=~])(\S+)((?: ulp \d+)?)")
CASE = re.compile(r"(//@ case [\w-]+:\s*)(.*?)(\s*->\s*)(.*)")


def statements(text):
    """(guard, opcode, operands) of each instruction; declarations and comments fall away."""
    text = re.sub(r"//.*", "", text)
    for statement in filter(None, (s.strip() for s in text.split(";"))):
        if statement.startswith(".reg"):
            continue
        guard, opcode, rest = re.fullmatch(r"(?:@(!?\w+)\s+)?([\w.]+)\s+(.*)", statement, re.S).groups()
        yield guard, opcode, [o.strip() for o in re.findall(r"\s*(\{[^}]*\}|\[[^\]]*\]|[^,]+)", rest)]


def step(opcode, operands, registers):
    read = lambda name: int(name, 0) if name[0].isdigit() else registers[name]  # noqa: E731
    target, sources = operands[0], operands[1:]
    names = lambda braces: [n.strip() for n in braces[1:-1].split(",")]  # noqa: E731
    if opcode.startswith("mov."):
        if sources[0].startswith("{"):
            low, high = map(read, names(sources[0]))
            registers[target] = low & 0xFFFF | (high & 0xFFFF) << 16
        elif target.startswith("{"):
            low, high = names(target)
            registers[low], registers[high] = read(sources[0]) & 0xFFFF, read(sources[0]) >> 16 & 0xFFFF
        else:
            registers[target] = read(sources[0])
    elif opcode.startswith("ld.global.b32"):
        base, _, offset = sources[0][1:-1].partition("+")
        registers[target] = registers[base.strip()][int(offset or 0) // 4]
    elif opcode == "cvt.rn.f16.f32":
        registers[target] = exact.round_to(exact.f16, exact.unpack(exact.f32, read(sources[0])))
    elif opcode == "cvt.rn.bf16x2.f32":
        high, low = (exact.round_to(exact.bf16, exact.unpack(exact.f32, read(s))) for s in sources)
        registers[target] = high << 16 | low
    elif opcode in ("mul.lo.u32", "mul.hi.u32"):
        product = read(sources[0]) * read(sources[1])
        registers[target] = product >> 32 if ".hi" in opcode else product & 0xFFFFFFFF
    else:
        registers[target], registers["cc.cf"] = exact.run(opcode, [read(s) for s in sources], registers.get("cc.cf"))


def value(text):
    kind, colon, words = text.partition(":")
    if colon:
        assert kind.startswith("u32x"), kind
        return [int(w, 0) for w in words.split(",")]
    return int(text, 0)


def shown(number, register, text):
    """A flag as 0 or 1, everything else in hex, as wide as the last instruction that writes it."""
    if register == "cc.cf":
        return str(number)
    opcodes = [opcode for _, opcode, operands in statements(text) if register in operands[0].strip("{}").split(", ")]
    kind = next(m for m in opcodes[-1].split(".")[1:] if m[-1].isdigit())
    digits = 8 if "32" in kind or "x2" in kind else 16 if "64" in kind else 4
    return f"0x{number:0{digits}x}"


def check(path, fill):
    text = open(path).read()
    failures = 0

    def one(match):
        nonlocal failures
        head, given, arrow, wanted = match.groups()
        registers = {name: value(v) for name, v in (pair.split("=") for pair in given.split())}
        for guard, opcode, operands in statements(text):
            if guard and bool(registers[guard.lstrip("!")]) == guard.startswith("!"):
                continue
            step(opcode, operands, registers)
        result = []
        for name, relation, expected, ulp in RESULT.findall(wanted):
            if expected == "?" and fill:
                expected = shown(registers[name], name, text)
            elif expected == "?" or value(expected) != registers[name]:
                failures += 1
                print(f"{path}: {head.strip()} {name}={expected}, exactly {shown(registers[name], name, text)}")
            result.append(f"{name}{relation}{expected}{ulp}")
        return f"{head}{given}{arrow}{' '.join(result)}"

    filled, count = CASE.subn(one, text)
    if fill:
        open(path, "w").write(filled)
    print(f"{path}: {count} cases, {failures} differ")
    return failures


if __name__ == "__main__":
    files = [a for a in sys.argv[1:] if a != "--fill"]
    if not files:
        sys.exit(__doc__)
    sys.exit(1 if sum([check(f, "--fill" in sys.argv) for f in files]) else 0)
