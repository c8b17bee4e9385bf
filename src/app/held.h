#pragma once
// A lease for as long as something is used: renewed by progress, released at the end, and gone by
// itself when this process is killed.
#include "app/operations.h"
#include "registry/leases.h"

namespace flyball::app {

class Held {
 public:
  static constexpr DurationUs kLasts = 15 * 60 * kSecond;

  Held(registry::Leases& leases, const std::string& object, const std::string& holder,
       const Clock& clock)
      : leases_(leases), clock_(clock), id_(leases.acquire(object, holder, clock.now() + kLasts)) {}
  ~Held() {
    try {
      leases_.release(id_);
    } catch (const std::exception&) {
      // it runs out by itself
    }
  }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  void renew() {
    const TimeUs now = clock_.now();
    if (now - renewed_ < 60 * kSecond) return;
    renewed_ = now;
    leases_.renew(id_, now + kLasts);
  }

 private:
  registry::Leases& leases_;
  const Clock& clock_;
  std::int64_t id_;
  TimeUs renewed_ = 0;
};

/// The call whose progress renews what is held.
template <class... H>
Call renewing(const Call& call, H&... held) {
  Call out = call;
  out.progress = [&call, &held...](const Progress& p) {
    (held.renew(), ...);
    if (call.progress) call.progress(p);
  };
  return out;
}

}  // namespace flyball::app
