#!/bin/sh
# Lays the table: makes .venv beside the Makefile and fills it from the hashed locks; does nothing when it is ready.
#
#   sh deploy/setup.sh play    what a table needs
#   sh deploy/setup.sh dev     the same with the tools for tests and checks
#   sh deploy/setup.sh lock    write the locks anew from pyproject.toml
#
# PYTHON names another interpreter. Needs only a POSIX shell and Python 3.11 or newer; uv is used where it is on PATH.
# Nothing here sets an index, a mirror or a certificate: pip's and uv's own settings hold.
set -eu
cd "$(dirname "$0")/.."

venv=.venv
py=$venv/bin/python
what=${1:-play}
case $what in
    play) lock=requirements.lock ;;
    dev | lock) lock=requirements-dev.lock ;;
    *) echo "setup: unknown '$what': say play, dev or lock" >&2; exit 2 ;;
esac
stamp=$venv/.ready-$what

say() { printf '%s\n' "$*" >&2; }
new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# The stamp names all that decides whether the environment still fits: the lock, the project's own settings, the place
# (scripts carry absolute paths) and the interpreter.
fingerprint() {
    cat pyproject.toml "$lock" | cksum
    pwd -P
    "$py" -c 'import sys; print(sys.version)'
}

ready() {
    [ -f "$stamp" ] && [ -x "$venv/bin/wonderlog" ] && new_enough "$py" && [ "$(fingerprint)" = "$(cat "$stamp")" ]
}

# The first interpreter that is new enough and can make an environment; failing that, one that is new enough.
find_python() {
    candidates="${PYTHON:-python3.14 python3.13 python3.12 python3.11 python3 python}"
    fallback=
    for name in $candidates; do
        new_enough "$name" || continue
        if has_venv "$name"; then
            echo "$name"
            return
        fi
        fallback=${fallback:-$name}
    done
    echo "$fallback"
}

refuse_python() {
    say "setup: Wonderlog needs Python 3.11 or newer; found none among: ${PYTHON:-python3.14 ... python3.11, python3, python}."
    if command -v python3 >/dev/null 2>&1; then
        say "       python3 is $(python3 --version 2>&1). Name another with: make setup PYTHON=/path/to/python3.12"
    fi
    exit 1
}

refuse_venv() {
    version=$("$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    say "setup: $1 has no venv (Debian and Ubuntu ship it apart). Install it with"
    say "           apt-get install python$version-venv"
    say "       or put uv on PATH, then run make again."
    exit 1
}

# An environment that still runs is kept and completed in place; one that cannot is made anew.
make_environment() {
    if new_enough "$py"; then
        [ -n "$uv" ] || "$py" -m pip --version >/dev/null 2>&1 || "$py" -m ensurepip >/dev/null 2>&1 || broken=yes
        [ -n "${broken:-}" ] || return 0
    fi
    python=$(find_python)
    [ -n "$python" ] || refuse_python
    say "setup: making $venv with $("$python" --version)"
    if has_venv "$python"; then
        "$python" -m venv --clear "$venv"
    elif [ -n "$uv" ]; then
        "$uv" venv --quiet --clear --python "$python" "$venv"
    else
        refuse_venv "$python"
    fi
}

install() {
    if [ -n "$uv" ]; then
        "$uv" pip install --quiet --compile-bytecode --python "$py" "$@"
    else
        "$py" -m pip install -qq --disable-pip-version-check --no-input "$@"
    fi
}

imports() { "$py" -c 'import cryptography, cyclopts, hiredis, jinja2, litestar, msgspec, prometheus_client, redis, rich, rq, structlog, uvicorn'; }

fill_environment() {
    say "setup: installing from $lock"
    install --require-hashes --no-deps -r "$lock"
    # A kill in the middle of an earlier install can leave a package that is listed but not whole.
    if ! imports >/dev/null 2>&1; then
        say "setup: $venv was left half full; installing it again"
        install --force-reinstall --require-hashes --no-deps -r "$lock"
        imports
    fi
    # hatchling is in the lock: building the project itself fetches nothing.
    install --no-deps --no-build-isolation --editable .
}

write_locks() {
    uv=${uv:-$venv/bin/uv}
    [ -x "$(command -v "$uv")" ] || { say "setup: make lock needs uv: pip install uv"; exit 1; }
    compile() {
        "$uv" pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
            --no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' "$@"
    }
    compile --group build -o requirements.lock
    compile --group build --group dev -c requirements.lock -o requirements-dev.lock
    if grep -n '://' requirements.lock requirements-dev.lock; then
        say "setup: a lock names a host; it must not"
        exit 1
    fi
}

uv=$(command -v uv || true)
if [ "$what" = lock ]; then
    write_locks
    exit 0
fi
if ready; then exit 0; fi
make_environment
rm -f "$stamp"
fill_environment
fingerprint >"$stamp"
# Whoever has the tools has what a table needs, too.
if [ "$what" = dev ]; then (lock=requirements.lock; fingerprint >"$venv/.ready-play"); fi
say "setup: $venv is ready"
