#pragma once
// What a child process may use. Prepared before the fork, applied between fork and exec.
//
// Where we are root each child becomes a user of its own (numbers that no distribution gives
// away), so that its processes can be counted and it can touch no other. Processes and threads are
// counted by the pids controller of cgroup v1 or v2 where that can be written, else by the user.
// The network is taken away by a namespace of its own, else by a filter of system calls.
// Under sanitizers, which reserve terabytes, the address space is not limited.
#include <sys/types.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "store/descriptor.h"

namespace flyball::jobs {

struct ChildLimits {
  std::uint64_t memory_bytes = 0;  ///< of address space; 0: none
  std::uint64_t cpu_seconds = 0;   ///< of processor time; 0: none
  std::uint64_t file_bytes = 0;    ///< of any file that it writes; 0: none
  std::uint64_t processes = 0;     ///< and threads; 0: none
  int niceness = 0;                ///< added: work that nobody waits for yields to what people ask
  bool no_network = false;
  bool other_user = false;  ///< where we are root and it could still read what it must
  std::vector<std::filesystem::path> reads = {};  ///< folders that it must be able to read
  std::vector<std::filesystem::path> owns = {};   ///< folders that become its own
};

enum class NetworkLimit { open, filter, name_space };
constexpr auto enum_names(NetworkLimit) {
  return std::array<std::string_view, 3>{"open", "filter", "namespace"};
}
enum class ProcessLimit { none, user, cgroup };
constexpr auto enum_names(ProcessLimit) {
  return std::array<std::string_view, 3>{"none", "user", "cgroup"};
}

/// What holds of a child that was started; said by the child itself before it became the program.
struct LimitsInForce {
  NetworkLimit network = NetworkLimit::open;
  ProcessLimit processes = ProcessLimit::none;
  bool other_user = false, memory = false;
};

class PreparedLimits {
 public:
  /// `program` must stay executable for another user. Changes the owner of `owns`.
  PreparedLimits(ChildLimits limits, const std::filesystem::path& program);
  /// Removes the control group; call after the child has been reaped.
  ~PreparedLimits();
  PreparedLimits(const PreparedLimits&) = delete;
  PreparedLimits& operator=(const PreparedLimits&) = delete;

  /// In the child: system calls only, allocates nothing.
  [[nodiscard]] LimitsInForce apply() const noexcept;
  /// Ends what the child left behind, also outside its process group, where there is a group.
  void kill_group() const;

 private:
  [[nodiscard]] bool become_other_user() const noexcept;
  void make_group();

  ChildLimits limits_;
  std::filesystem::path program_;
  uid_t user_ = 0;                ///< 0: stays who it is
  std::uint64_t user_tasks_ = 0;  ///< tasks that our user has already
  std::filesystem::path group_;   ///< empty: none
  store::Descriptor group_procs_{-1};
};

/// In the child: no way to a network; how. Forbids itself to gain privileges.
NetworkLimit leave_network() noexcept;

}  // namespace flyball::jobs
