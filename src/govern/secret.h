#pragma once
// Random texts that prove who holds them. Only their hashes are stored: with 256 bits of chance
// nothing slower than SHA-256 is needed.
#include <string>
#include <string_view>

namespace flyball::govern {

/// 256 random bits as 64 hexadecimal digits.
std::string random_secret();

/// PREFIX-xxxxxxxxxxxxxxxx (64 random bits): an id, no secret.
std::string random_id(std::string_view prefix);

/// What is stored of a secret.
std::string secret_hash(std::string_view secret);

/// Takes as long for any two texts of one length.
bool same_text(std::string_view a, std::string_view b);

/// The CSRF token of a session: follows from its secret and tells nothing of it.
std::string csrf_token(std::string_view session_secret);

}  // namespace flyball::govern
