/*
 * translated_samples.h - proteins, and bases in which genes of them lie, for searches that translate. After unit/samples.h and
 * agree/same_results.h.
 */
#ifndef TAMIS_TESTS_TRANSLATED_SAMPLES_H
#define TAMIS_TESTS_TRANSLATED_SAMPLES_H

enum { LONGEST_PROTEIN = 600, CHUNKED_BASES = 15400000 /* frames of two chunks */ };

static const char amino_acids[] = "LLLLLAAAAGGGVVVEEESSSIIKKKRRDDTTPPNQFYMHCW";

/* n proteins; some have a piece of the one before, changed here and there, or a stretch of low complexity. */
static void make_proteins(sample_random *r, size_t n, struct records *out)
{
    begin_records(n, LONGEST_PROTEIN, out);
    for (size_t i = 0; i < n; i++) {
        const size_t length = 20 + random_below(r, LONGEST_PROTEIN - 20), shared = i > 0 && random_below(r, 2) ? random_below(r, 300) : 0;
        uint8_t *to = out->residues + out->starts[i];
        for (size_t k = 0; k < length; k++) {
            const bool is_copy = k < shared && k < (size_t)(out->starts[i] - out->starts[i - (i > 0)]) - 1 && random_below(r, 3) > 0;
            to[k] = is_copy ? out->residues[out->starts[i - 1] + k] : (uint8_t)amino_acids[random_below(r, sizeof amino_acids - 1)];
        }
        if (random_below(r, 4) == 0 && length > 60)
            memset(to + random_below(r, length - 40), 'Q', 20 + random_below(r, 20));
        end_record(i, length, out);
    }
    end_records(n, out);
}

/* A codon of the standard code for a residue, the third base at random where that changes nothing for most residues. */
static void put_codon(sample_random *r, char residue, uint8_t *to)
{
    static const char code[] = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG", order[] = "TCAG";
    size_t i = random_below(r, 64);

    for (size_t k = 0; k < 64 && code[i] != residue; k++)
        i = (i + 1) % 64;
    to[0] = (uint8_t)order[i / 16];
    to[1] = (uint8_t)order[i / 4 % 4];
    to[2] = (uint8_t)order[i % 4];
}

static void reverse_complement(uint8_t *bases, size_t n)
{
    for (size_t i = 0; i < (n + 1) / 2; i++) {
        const uint8_t a = bases[i], b = bases[n - 1 - i];
        bases[i] = (uint8_t)(b == 'A' ? 'T' : b == 'C' ? 'G' : b == 'G' ? 'C' : 'A');
        bases[n - 1 - i] = (uint8_t)(a == 'A' ? 'T' : a == 'C' ? 'G' : a == 'G' ? 'C' : 'A');
    }
}

/* n sequences of up to `longest` bases: pieces of genes between random bases, on both strands, with errors. */
static void make_genes(sample_random *r, size_t n, size_t longest, const tms_seqs *proteins, struct records *out)
{
    begin_records(n, longest, out);
    for (size_t i = 0; i < n; i++) {
        const size_t length = random_below(r, 8) == 0 ? 1 + random_below(r, 10) : longest / 2 + random_below(r, longest / 2);
        uint8_t *to = out->residues + out->starts[i];
        for (size_t k = 0; k < length; k++)
            to[k] = (uint8_t) "ACGT"[random_below(r, 4)];
        for (size_t at = random_below(r, 40); at + 3 < length && random_below(r, 10) > 0; at += random_below(r, 150)) {
            const size_t p = random_below(r, proteins->n_records), m = (size_t)tms_seqs_length(proteins, p), from = random_below(r, m);
            for (size_t k = from; k < m && k < from + 200 && at + 3 < length; k++, at += 3)
                if (random_below(r, 6) > 0)
                    put_codon(r, (char)proteins->residues[proteins->residue_starts[p] + k], to + at);
        }
        if (random_below(r, 2) == 0)
            reverse_complement(to, length);
        end_record(i, length, out);
    }
    end_records(n, out);
}

/* Makes a base here and there ambiguous. */
static inline void spoil(sample_random *r, struct records *bases)
{
    const uint64_t n = bases->starts[bases->seqs.n_records];
    for (size_t i = 0; i < n / 500; i++) {
        uint8_t *at = bases->residues + random_below(r, (size_t)n);
        *at = *at == 0 ? 0 : (uint8_t) "NRYKMSWBDHV"[random_below(r, 11)];
    }
}

/* Sequences of up to 20,000 bases, and one among them whose frames have two chunks; genes also lie where these meet. */
static inline void make_chunked(sample_random *r, const struct records *genes, struct records *out)
{
    const size_t n = 6, chunked = 3;
    begin_records(n, CHUNKED_BASES, out);
    for (size_t i = 0; i < n; i++) {
        const size_t length = i == chunked ? CHUNKED_BASES : 100 + random_below(r, 20000);
        uint8_t *to = out->residues + out->starts[i];
        for (size_t k = 0; k < length; k++)
            to[k] = (uint8_t) "ACGT"[random_below(r, 4)];
        for (size_t k = 0; k < genes->seqs.n_records; k++) {
            const size_t m = (size_t)tms_seqs_length(&genes->seqs, k), from = i == chunked ? (k % 3 == 0 ? 400000 : 14990000) : 0,
                         room = i == chunked ? 20000 : length;
            if (m < room)
                memcpy(to + from + random_below(r, room - m), genes->residues + genes->starts[k], m);
        }
        end_record(i, length, out);
    }
    end_records(n, out);
}

#endif
