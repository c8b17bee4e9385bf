#pragma once
// EXPECT_ERROR(statement, "CODE"): the statement throws an Error of that code.
#include <gtest/gtest.h>

#include "core/error.h"

#define EXPECT_ERROR(statement, expected_code)                          \
  try {                                                                 \
    statement;                                                          \
    ADD_FAILURE() << #statement << " should throw " << (expected_code); \
  } catch (const ::flyball::Error& error) {                             \
    EXPECT_EQ(error.code(), (expected_code)) << error.what();           \
  }
