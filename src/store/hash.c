/* SHA3-256, because the stock sqlite3 shell has it too: whoever has the file
 * can check the chain. */
#include "hash.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

struct dvl_hasher {
    EVP_MD *algorithm;
    EVP_MD_CTX *context;
};

struct dvl_hasher *dvl_hasher_new(void)
{
    struct dvl_hasher *hasher = calloc(1, sizeof *hasher);
    if (!hasher)
        return NULL;
    (void)ERR_set_mark();
    hasher->algorithm = EVP_MD_fetch(NULL, "SHA3-256", NULL);
    hasher->context = EVP_MD_CTX_new();
    (void)ERR_pop_to_mark();
    if (hasher->algorithm && hasher->context)
        return hasher;
    dvl_hasher_free(hasher);
    return NULL;
}

void dvl_hasher_free(struct dvl_hasher *hasher)
{
    if (!hasher)
        return;
    EVP_MD_CTX_free(hasher->context);
    EVP_MD_free(hasher->algorithm);
    free(hasher);
}

/* "5:hello", "-" for null. */
static bool add_column(EVP_MD_CTX *context, const struct dvl_hash_column *column)
{
    char length[24];
    if (!column->text)
        return EVP_DigestUpdate(context, "-", 1) == 1;
    int size = snprintf(length, sizeof length, "%zu:", column->length);
    return size > 0 && EVP_DigestUpdate(context, length, (size_t)size) == 1 &&
           EVP_DigestUpdate(context, column->text, column->length) == 1;
}

static bool hash_event(struct dvl_hasher *hasher, const unsigned char previous[DVL_HASH_SIZE],
                       const struct dvl_hash_column columns[DVL_HASH_COLUMNS], unsigned char out[DVL_HASH_SIZE])
{
    if (EVP_DigestInit_ex2(hasher->context, hasher->algorithm, NULL) != 1 ||
        EVP_DigestUpdate(hasher->context, previous, DVL_HASH_SIZE) != 1)
        return false;
    for (int i = 0; i < DVL_HASH_COLUMNS; i++)
        if (!add_column(hasher->context, &columns[i]))
            return false;
    return EVP_DigestFinal_ex(hasher->context, out, NULL) == 1;
}

bool dvl_hasher_event(struct dvl_hasher *hasher, const unsigned char previous[DVL_HASH_SIZE],
                      const struct dvl_hash_column columns[DVL_HASH_COLUMNS], unsigned char out[DVL_HASH_SIZE])
{
    /* The program around us may use OpenSSL, too: its queue of errors stays as it is. */
    (void)ERR_set_mark();
    bool done = hash_event(hasher, previous, columns, out);
    (void)ERR_pop_to_mark();
    return done;
}

const char *dvl_hash_write(const unsigned char hash[DVL_HASH_SIZE], char out[DVL_HASH_TEXT_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < DVL_HASH_SIZE; i++) {
        out[2 * i] = digits[hash[i] >> 4];
        out[2 * i + 1] = digits[hash[i] & 15];
    }
    out[DVL_HASH_TEXT_SIZE - 1] = '\0';
    return out;
}
