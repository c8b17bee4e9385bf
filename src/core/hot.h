#pragma once
// FLYBALL_HOT marks a small loop that is compiled twice, for x86-64-v3 (AVX2) and for any x86-64,
// the right one chosen when the program is loaded. Only plain loops over pointers carry it, never
// code with Eigen in it. No fused multiply-add, so that both give the same bits.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(FLYBALL_SANITIZED)
#define FLYBALL_HOT __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define FLYBALL_HOT
#endif
