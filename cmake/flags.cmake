# Flags of every build, and what DVL_WERROR, DVL_STRICT, DVL_SANITIZE, DVL_COVERAGE and
# DVL_LIBFUZZER add to them.

add_compile_definitions(_GNU_SOURCE)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow)

if(DVL_STRICT)
    add_compile_options(-Wformat=2 -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wundef
                        -Wcast-align -Wwrite-strings -Wvla -Wpointer-arith -Wswitch-enum)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-Wlogical-op -Wduplicated-cond -Wduplicated-branches -Wjump-misses-init)
    endif()
endif()
if(DVL_WERROR)
    add_compile_options(-Werror)
endif()

# What distributions ask of every program; a sanitizer brings its own checks.
if(NOT DVL_SANITIZE AND NOT DVL_COVERAGE)
    add_compile_options(-fstack-protector-strong $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
    add_link_options(LINKER:-z,relro LINKER:-z,now)
endif()
if(DVL_SANITIZE)
    add_compile_options(-fsanitize=${DVL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${DVL_SANITIZE})
endif()
if(DVL_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage)
endif()
if(DVL_LIBFUZZER)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
        message(FATAL_ERROR "DVL_LIBFUZZER needs clang, not ${CMAKE_C_COMPILER_ID}")
    endif()
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
