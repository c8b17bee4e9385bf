#include "plan/limits.h"

#include <cmath>

namespace flyball::plan {
namespace {

constexpr double kNoiseRoom = 3;    ///< standard deviations that stay free below a limit
constexpr double kLevelNoise = 30;  ///< standard deviations that a level is moved by, at most

void check_positive(double value, const char* field) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error("PLAN_NOT_POSITIVE", {{"field", field}, {"value", value}});
}

template <class T>
void check_once(const std::vector<T>& list) {
  for (auto i = list.begin(); i != list.end(); ++i) {
    if (std::ranges::count(i, list.end(), i->name, &T::name) > 1)
      throw Error("PLAN_NAME_TWICE", {{"name", i->name}});
  }
}

double room_of(double now, double low, double high, double free, const std::string& name) {
  const double room = std::min(high - now, now - low) - free;
  if (!(room > 0)) {
    throw Error("PLAN_NO_ROOM",
                {{"name", name}, {"value", now}, {"low", low}, {"high", high}, {"free", free}});
  }
  return room;
}

double room_of(const Cv& cv) {
  return room_of(cv.now, cv.low, cv.high, kNoiseRoom * cv.noise, cv.name);
}

double room_of(const Mv& mv) {
  const double room = room_of(mv.now, mv.low, mv.high, 0, mv.name);
  return mv.max_move ? std::min(room, *mv.max_move / 2) : room;
}

/// The farthest that moves of ±1 take the CV of a pair; of a level, moves of at most `longest`.
double reach(const Request& r, const Pair& p, Index longest) {
  return std::abs(p.gain) * (p.integrating ? static_cast<double>(longest) * r.beat : 1);
}

/// The three leading digits: set values that a person can type, never a larger move.
double rounded_down(double amplitude) {
  const double unit = std::pow(10.0, std::floor(std::log10(amplitude)) - 2);
  return std::floor(amplitude / unit * (1 + 1e-12)) * unit;
}

}  // namespace

void check(const Request& r) {
  check_once(r.mvs);
  check_once(r.cvs);
  for (const Mv& m : r.mvs) {
    if (m.max_move) check_positive(*m.max_move, "largest move");
  }
  check_positive(r.beat, "beat");
  check_positive(r.precision, "precision");
  std::vector<bool> mv(r.mvs.size(), false), cv(r.cvs.size(), false);
  for (const Pair& p : r.pairs) {
    const auto same = [&](const Pair& o) { return o.mv == p.mv && o.cv == p.cv; };
    if (std::ranges::count_if(r.pairs, same) > 1)
      throw Error("PLAN_NAME_TWICE", {{"name", p.mv + ":" + p.cv}});
    mv[index_of(r.mvs, p.mv)] = cv[index_of(r.cvs, p.cv)] = true;
    if (!p.integrating) check_positive(p.time_constant, "time constant");
    check_positive(std::abs(p.gain), "size of the gain");
    if (!(p.dead_time >= 0)) check_positive(p.dead_time, "dead time");
  }
  for (std::size_t i = 0; i < mv.size(); ++i) {
    if (!mv[i]) throw Error("PLAN_NO_PAIR", {{"name", r.mvs[i].name}});
  }
  for (std::size_t j = 0; j < cv.size(); ++j) {
    if (!cv[j]) throw Error("PLAN_NO_PAIR", {{"name", r.cvs[j].name}});
    check_positive(r.cvs[j].noise, "noise");
  }
}

double settling_seconds(const Request& r) {
  double most = 0;
  for (const Pair& p : r.pairs) {
    double time = p.time_constant;
    if (p.integrating) {
      const Cv& cv = r.cvs[index_of(r.cvs, p.cv)];
      const double way = std::min(room_of(cv), kLevelNoise * cv.noise);
      time = way / (std::abs(p.gain) * room_of(r.mvs[index_of(r.mvs, p.mv)]));
    }
    most = std::max(most, p.dead_time + 4 * time);
  }
  return most;
}

std::vector<double> bounds(const Request& r, const Plan& plan) {
  std::vector<double> out(r.cvs.size(), 0);
  for (const Pair& p : r.pairs) {
    out[index_of(r.cvs, p.cv)] +=
        reach(r, p, plan.switch_steps) * plan.amplitudes[index_of(r.mvs, p.mv)];
  }
  return out;
}

void choose_amplitudes(const Request& r, Plan& plan) {
  std::vector<double>& out = plan.amplitudes;
  for (const Mv& mv : r.mvs) out.push_back(room_of(mv));
  // Each CV scales its MVs down; what another CV has taken already only helps.
  for (std::size_t j = 0; j < r.cvs.size(); ++j) {
    const double room = room_of(r.cvs[j]), needed = bounds(r, plan)[j];
    if (needed <= room) continue;
    for (std::size_t m = 0; m < r.mvs.size(); ++m) {
      const bool moves = std::ranges::any_of(
          r.pairs, [&](const Pair& p) { return p.cv == r.cvs[j].name && p.mv == r.mvs[m].name; });
      if (moves) out[m] *= room / needed;
    }
  }
  for (double& amplitude : out) amplitude = rounded_down(amplitude);
}

}  // namespace flyball::plan
