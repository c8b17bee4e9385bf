#pragma once
// What must hold of any bytes: run by libFuzzer (entry.cc) and over the kept corpus
// (corpus_test.cc). Each throws std::logic_error when a law is broken.
#include <stdexcept>
#include <string>
#include <string_view>

namespace flyball::fuzz {

/// The text importer. The first line of `bytes` chooses the options (import_choices.h), the rest is
/// the file. It is imported with an account that adds up and that the store confirms, or refused by
/// an Error with nothing stored.
void import_laws(std::string_view bytes);

/// Chunks of samples. The first byte says what the rest is: 's' samples, which come back from
/// encode and decode as they were; 'p' what a chunk packs, sealed with a right header; anything
/// else a chunk as it is. Bytes that are no chunk are refused with nothing appended; those that are
/// one decode to samples that can be encoded again.
void chunk_laws(std::string_view bytes);

/// Small quadratic programs. What is called solved is optimal by definition, infeasible and
/// unbounded come with proofs that hold, small whole numbers are always decided, a warm start
/// changes nothing; anything else is refused by an Error of the solver.
void qp_laws(std::string_view bytes);

inline void require(bool holds, const std::string& law) {
  if (!holds) throw std::logic_error(law);
}

}  // namespace flyball::fuzz
