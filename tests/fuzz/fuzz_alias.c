/* fuzz_alias.c - any bytes as an alias file: texts lie in the file, names of a list come to an end. */
#include <assert.h>
#include <string.h>

#include "seqdb/seqdb_alias.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct seqdb_alias alias;
    struct text list, name;
    size_t n = 0;

    seqdb_alias_parse(bytes, size, &alias);
    assert(alias.title.n == 0 || (alias.title.bytes >= bytes && alias.title.bytes + alias.title.n <= bytes + size));
    assert(alias.title.n == 0 || memchr(alias.title.bytes, '\n', alias.title.n) == NULL);
    assert(strlen(alias.refused) < sizeof alias.refused && strlen(alias.damaged) < sizeof alias.damaged);
    list = alias.dblist;
    while (seqdb_names_next(&list, &name)) {
        assert(name.bytes >= alias.dblist.bytes && name.bytes + name.n <= alias.dblist.bytes + alias.dblist.n);
        assert(++n <= size);
    }
    return 0;
}
