// precompiled.h and GoogleTest, for tests.
#include <gtest/gtest.h>

#include "precompiled.h"
