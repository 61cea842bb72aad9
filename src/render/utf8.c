/* Reading UTF-8 strictly, so that nothing that is no text leaves as text. */
#include "utf8.h"

/* Length of the sequence that `lead` begins, and the bits that it brings. */
static size_t sequence_of(uint8_t lead, uint32_t *bits)
{
    if (lead < 0x80) {
        *bits = lead;
        return 1;
    }
    if (lead >= 0xc2 && lead <= 0xdf) {
        *bits = lead & 0x1fU;
        return 2;
    }
    if (lead >= 0xe0 && lead <= 0xef) {
        *bits = lead & 0x0fU;
        return 3;
    }
    if (lead >= 0xf0 && lead <= 0xf4) {
        *bits = lead & 0x07U;
        return 4;
    }
    return 0;
}

size_t dvl_utf8_read(const char *text, size_t length, uint32_t *out)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t character = 0;
    size_t size = length ? sequence_of((uint8_t)text[0], &character) : 0;
    if (size == 0 || size > length)
        return 0;
    for (size_t i = 1; i < size; i++) {
        uint8_t byte = (uint8_t)text[i];
        if ((byte & 0xc0) != 0x80)
            return 0;
        character = character << 6 | (byte & 0x3fU);
    }
    if (character < least[size] || character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff))
        return 0;
    *out = character;
    return size;
}

bool dvl_utf8_is_unsafe(uint32_t character)
{
    return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
           (character >= 0x200b && character <= 0x200f) || (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2060 && character <= 0x206f) || character == 0xfeff || (character & 0xfffe) == 0xfffe;
}
