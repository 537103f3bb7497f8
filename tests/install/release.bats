# ./dev release says no before it makes anything. (.ci/run shows that it makes something.)
setup() {
    command -v git >/dev/null || skip "git is not installed"
    cd "$BATS_TEST_TMPDIR" || return 1
    cp "$TAMIS_SOURCE/dev" .
    echo 1.2.3 >VERSION
    printf '# Changes\n\n## 1.2.3 (2026-01-31)\n' >CHANGELOG.md
    git init -q . && commit
}

commit() {
    git add . && git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m "all of it"
}

# refused WORDS: exit code 2, a sentence with these words, and no archive
refused() {
    local got=0
    ./dev release "${2:-dist}" >out 2>err || got=$?
    cat out err
    [ "$got" -eq 2 ] && grep -qF -- "$1" err && [ ! -e dist ] && [ ! -e build ]
}

@test "release: refuses what is not committed" {
    echo more >>VERSION.txt
    printf 'out\nerr\n' >.git/info/exclude
    refused 'VERSION.txt'
    echo 'echo' >>dev
    rm VERSION.txt
    refused ' M dev'
}

@test "release: refuses a version that the change log does not begin with" {
    echo 1.2.4 >VERSION
    commit
    refused 'VERSION says 1.2.4, and CHANGELOG.md begins with "## 1.2.3 (2026-01-31)"'
}

@test "release: refuses a change log without a date" {
    printf 'out\nerr\n' >.git/info/exclude
    printf '# Changes\n\n## 1.2.3 (unreleased)\n' >CHANGELOG.md
    commit
    refused 'put the date in place'
}

@test "release: refuses what is no git checkout" {
    rm -rf .git
    GIT_CEILING_DIRECTORIES=$(dirname "$PWD") refused 'git checkout'
}

@test "release: nothing to refuse here" { # it gets as far as the archive, of which nothing can be built
    printf 'out\nerr\n' >.git/info/exclude
    echo ignored >out
    ! ./dev release dist >out 2>err
    cat out err
    tar -tzf dist/tamis-1.2.3.tar.gz | sort | tr '\n' ' ' | grep -qx 'tamis-1.2.3/ tamis-1.2.3/CHANGELOG.md tamis-1.2.3/VERSION tamis-1.2.3/dev '
    cp dist/tamis-1.2.3.tar.gz first
    sleep 1
    rm -r dist
    mv first .git/first
    ! ./dev release dist >out 2>err
    cmp .git/first dist/tamis-1.2.3.tar.gz # the same bytes at another time
}
