# tamis classify with files that are cut and changed: classify_hostile.py, which CONTRIBUTING.md has more of.
load common

@test "damaged files are refused, and of others no record is lost, added or changed" {
    need python3
    expect 0 python3 "$TAMIS_SOURCE/tests/cli/classify_hostile.py" "$TAMIS" 40 1
    grep -Eq '^[0-9]+ cases, [0-9]+ runs, [1-9][0-9]* refused$' out
}
