/* SHA-256 through libcrypto. */
#include "digest.h"

#include <openssl/evp.h>

bool dvl_sha256_hex(const void *bytes, size_t length, char out[DVL_SHA256_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char sum[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    if (EVP_Digest(bytes, length, sum, &size, EVP_sha256(), NULL) != 1 || size != 32)
        return false;
    for (unsigned int i = 0; i < size; i++) {
        out[2 * i] = digits[sum[i] >> 4];
        out[2 * i + 1] = digits[sum[i] & 15];
    }
    out[2 * size] = '\0';
    return true;
}
