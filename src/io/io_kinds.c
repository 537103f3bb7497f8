#include "io/io_kinds.h"

#include <string.h>

typedef struct kind {
    size_t at, size;
    char bytes[17];
    const char *name;
    const char *tool;  /* a program that turns the file into text, or NULL */
    const char *reads; /* a program that turns the file into sequences, if it is another one than `tool` */
    int is_text;       /* 1: the file may also be a list of lines */
} kind;

/* A magic may end in a line feed, and has none inside. The last five kinds occur inside another compression. */
static const kind kinds[] = {{0, 8, "TAMISFLT", "a tamis filter", NULL, NULL, 0},
                             {0, 8, "TAMISARC", "a tamis archive", NULL, NULL, 0},
                             {0, 4, "BAM\1", "a BAM file", "samtools fasta", "samtools fastq", 0},
                             {0, 5, "CRAM\2", "a CRAM file", "samtools fasta", "samtools fastq", 0},
                             {0, 5, "CRAM\3", "a CRAM file", "samtools fasta", "samtools fastq", 0},
                             {0, 4, "BCF\2", "a BCF file", "bcftools view", NULL, 0},
                             {0, 7, "@HD\tVN:", "a SAM file", "samtools fastq", NULL, 1},
                             {0, 7, "@SQ\tSN:", "a SAM file", "samtools fastq", NULL, 1},
                             {0, 16, "##fileformat=VCF", "a VCF file", NULL, NULL, 1},
                             {0, 4, "\x43\x27\x41\x1a", "a .2bit file", "twoBitToFa", NULL, 0},
                             {0, 4, "PK\3\4", "a zip archive", "unzip -p", NULL, 0},
                             {257, 5, "ustar", "a tar archive", "tar -xO", NULL, 0},
                             {0, 6, "7z\xbc\xaf\x27\x1c", "a 7z archive", "7z x -so", NULL, 0},
                             {0, 6, "Rar!\x1a\x07", "a RAR archive", NULL, NULL, 0},
                             {0, 4, "\x04\x22\x4d\x18", "an lz4 file", "lz4 -dc", NULL, 0},
                             {0, 5, "LZIP\1", "an lzip file", "lzip -dc", NULL, 0},
                             {0, 6, "\x89LZO\0\r", "an lzop file", "lzop -dc", NULL, 0},
                             {0, 2, "\x1f\x9d", "a file of compress (.Z)", "gzip -dc", NULL, 0},
                             {0, 3, "\x5d\0\0", "an .lzma file", "xz -dc", NULL, 0},
                             {0, 2, "\xff\xfe", "text in UTF-16", "iconv -f UTF-16 -t UTF-8", NULL, 0},
                             {0, 2, "\xfe\xff", "text in UTF-16", "iconv -f UTF-16 -t UTF-8", NULL, 0},
                             {0, 8, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", NULL, NULL, 0},
                             {0, 5, "%PDF-", "a PDF file", "pdftotext", NULL, 0},
                             {0, 6, "\x89PNG\r\n", "a PNG image", NULL, NULL, 0},
                             {0, 3, "\xff\xd8\xff", "a JPEG image", NULL, NULL, 0},
                             {0, 16, "SQLite format 3", "an SQLite database", NULL, NULL, 0},
                             {0, 6, "\x89HDF\r\n", "an HDF5 file", NULL, NULL, 0},
                             {0, 4,
                              "\x7f"
                              "ELF",
                              "an ELF program or library", NULL},
                             {0, 3, "\x1f\x8b\x08", "gzip data inside a compressed file", "gzip -dc", NULL, 0},
                             {0, 4, "\x28\xb5\x2f\xfd", "zstd data inside a compressed file", "zstd -dc", NULL, 0},
                             {0, 6,
                              "\xfd"
                              "7zXZ",
                              "xz data inside a compressed file", "xz -dc"},
                             {0, 10, "BZh91AY&SY", "bzip2 data inside a compressed file", "bzip2 -dc", NULL, 0}};

io_status io_kind_check(const char *name, const uint8_t *bytes, size_t n, io_wanted wanted, io_error *err)
{
    const uint8_t *lf;

    if (n > IO_KIND_HEAD_BYTES)
        n = IO_KIND_HEAD_BYTES;
    lf = memchr(bytes, '\n', n);
    if (lf != NULL)
        n = (size_t)(lf - bytes) + 1;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const kind *k = &kinds[i];
        const char *tool = wanted == IO_WANTED_SEQUENCES && k->reads != NULL ? k->reads : k->tool;
        if (n < k->at + k->size || memcmp(bytes + k->at, k->bytes, k->size) != 0 || (k->is_text && wanted == IO_WANTED_LINES))
            continue;
        return io_fail(err, IO_E_INPUT, 0, "%s: %s, not %s%s%s%s", name, k->name,
                       wanted == IO_WANTED_SEQUENCES ? "FASTA or FASTQ" : "a list of lines", tool != NULL ? "; try '" : "",
                       tool != NULL ? tool : "", tool != NULL ? "'" : "");
    }
    return IO_OK;
}
