/* Runs a fuzz harness over files, without a fuzzer: so that what was found
 * once is tried by every test run, with every compiler. Arguments are files
 * or folders of files. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *path)
{
    struct stat info;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &info) != 0) {
        perror(path);
        if (file)
            fclose(file);
        return 1;
    }
    size_t size = (size_t)info.st_size;
    uint8_t *data = malloc(size ? size : 1); /* exactly as large as the input, for sanitizers */
    int failed = !data || fread(data, 1, size, file) != size;
    fclose(file);
    if (failed)
        perror(path);
    else
        LLVMFuzzerTestOneInput(data, size);
    free(data);
    return failed;
}

static int run_folder(const char *path, DIR *folder)
{
    int failed = 0, files = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char file[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        failed |= run_file(file);
        files++;
    }
    if (files == 0)
        fprintf(stderr, "%s: no files\n", path);
    return failed || files == 0;
}

int main(int count, char **arguments)
{
    int failed = count < 2;
    for (int i = 1; i < count; i++) {
        DIR *folder = opendir(arguments[i]);
        failed |= folder ? run_folder(arguments[i], folder) : run_file(arguments[i]);
        if (folder)
            closedir(folder);
    }
    return failed;
}
