/* What a plain YAML scalar means, by YAML 1.1 as kubectl's and Volcano's Go
 * library has it: yes, on and y are bools, 010 is octal, 1_000 is a number,
 * 1:30 and dates are strings. */
#ifndef DVL_MANIFEST_YAML_SCALAR_H
#define DVL_MANIFEST_YAML_SCALAR_H

#include "../value.h"

/* Null, bool, number or string. *truth is written for a bool. */
enum dvl_value_kind dvl_yaml_resolve(struct dvl_span text, bool *truth);

enum { DVL_YAML_NUMBER_SIZE = 40 };

/* A plain number's text in JSON's form: 0x10 becomes 16, 1.50 becomes 1.5, a
 * number over 64 bits the nearest double, as on the way through kubectl. False
 * for what JSON has no word for (.inf) and for what is no number. */
bool dvl_yaml_number(struct dvl_span text, char out[DVL_YAML_NUMBER_SIZE]);

/* 1:30 and the like: a number to base 60 for other readers of YAML 1.1. */
bool dvl_yaml_is_base_60(struct dvl_span text);

#endif
