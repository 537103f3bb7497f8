/*
 * picture_letters.c - letters as strokes of a pen, for pictures of pixels: no font of the machine, so the bytes are the same everywhere.
 *
 * A letter is a text of strokes, with spaces between them; a stroke is a row of points, each a digit for x and one for y. Capitals are from
 * y = 0 to the base line at y = 6 and small letters begin at y = 2; descenders go to y = 8.
 */
#include <string.h>

#include "figures/picture_parts.h"

enum { FIRST = '!', LAST = '~' };

static const char *const letters[LAST - FIRST + 1] = {
    /* ! to / */ "0004 0606",
    "0002 2022",
    "1016 3036 0242 0444",
    "413010010213334445361605 2026",
    "0640 0010110100 3545463635",
    "4612112031320405162644",
    "0002",
    "2011031526",
    "0011231506",
    "2024 0143 0341",
    "2125 0343",
    "1607",
    "0333",
    "0606",
    "0640",
    /* 0 to 9 */ "103041453616050110",
    "112026 1636",
    "01103041420646",
    "004022324345361605",
    "36300444",
    "400002324345361605",
    "413010010516364544331304",
    "004016",
    "13020110304142331304051636454433",
    "423313020110304145361605",
    /* : to @ */ "0202 0606",
    "1212 1607",
    "310335",
    "0242 0444",
    "013305",
    "01103041422324 2626",
    "34321214344441301001051636",
    /* A to Z */ "062046 1434",
    "06003041423303 3344453606",
    "4130100105163645",
    "00063645413000",
    "40000646 0333",
    "400006 0333",
    "41301001051636454323",
    "0006 4046 0343",
    "0006",
    "3035261605",
    "0006 4004 1346",
    "000646",
    "0600234046",
    "06004640",
    "103041453616050110",
    "06003041423303",
    "103041453616050110 2446",
    "06003041423303 2346",
    "413010010213334445361605",
    "0040 2026",
    "000516364540",
    "002640",
    "0016233640",
    "0046 0640",
    "0023 4023 2326",
    "00400646",
    /* [ to ` */ "20000626",
    "0046",
    "00202606",
    "022042",
    "0747",
    "0011",
    /* a to z */ "32120305162635 3236",
    "0006 0312223335261605",
    "3322120305162635",
    "3036 3322120305162635",
    "04343322120305162635",
    "201116 0222",
    "3237281807 3322120305162635",
    "0006 0312223336",
    "0206 0000",
    "121708 1010",
    "0006 3204 1436",
    "0006",
    "0206 03122326 23324346",
    "0206 0312223336",
    "122233352616050312",
    "0208 0312223335261605",
    "3238 3322120305162635",
    "0206 031222",
    "33221203142435261605",
    "101526 0222",
    "0205162635 3236",
    "022642",
    "0216233642",
    "0236 0632",
    "0226 4218",
    "02320636",
    /* { to ~ */ "20111203141526",
    "0007",
    "00111223141506",
    "04132433"};

static const char unknown[] = "0040460600", dots[] = "0606 2626 4646";

static double width_of(const char *strokes)
{
    double width = 0;

    for (const char *c = strokes; *c != '\0'; c += *c == ' ' ? 1 : 2)
        width = *c != ' ' && *c - '0' > width ? *c - '0' : width;
    return width;
}

/* The next character's strokes; bytes that follow the first one of a character are skipped. Digits are equally wide. */
static const char *take_letter(struct stroke_text *text)
{
    const unsigned char c = (unsigned char)*text->at++;
    const char *strokes = c == ' ' ? "" : c >= FIRST && c <= LAST ? letters[c - FIRST] : unknown;

    if (c == 0xe2 && text->end - text->at >= 2 && memcmp(text->at, "\x80\xa6", 2) == 0) /* an ellipsis */
        strokes = dots;
    while (text->at < text->end && ((unsigned char)*text->at & 0xc0) == 0x80)
        text->at++;
    text->advance = c == ' ' ? 3 : c >= '0' && c <= '9' ? 5.7 : width_of(strokes) + STROKE_SPACE;
    return strokes;
}

int stroke_next(struct stroke_text *text, double ends[4])
{
    for (;;) {
        int was_down = text->is_down;
        while (text->strokes == NULL || *text->strokes == '\0') {
            text->x += text->advance;
            text->advance = 0;
            text->is_down = was_down = 0;
            if (text->at == text->end)
                return 0;
            text->strokes = take_letter(text);
        }
        if (*text->strokes == ' ') {
            text->strokes++;
            text->is_down = 0;
            continue;
        }
        ends[0] = text->last_x;
        ends[1] = text->last_y;
        ends[2] = text->last_x = text->x + (text->strokes[0] - '0');
        ends[3] = text->last_y = text->strokes[1] - '0';
        text->strokes += 2;
        text->is_down = 1;
        if (was_down)
            return 1;
    }
}

double stroke_width(const char *text, size_t n)
{
    struct stroke_text t = {.at = text, .end = text + n};
    double width = 0;

    while (t.at < t.end) {
        (void)take_letter(&t);
        width += t.advance;
    }
    return width;
}
