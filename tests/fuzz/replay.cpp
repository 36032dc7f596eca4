// SPDX-License-Identifier: BSD-3-Clause
// Gives a fuzz target the files of its corpus, and changed ones, without libFuzzer:
//
//   replay_<target> CORPUS COUNT          every file, then COUNT changed ones, always the same
//   replay_<target> CORPUS COUNT NUMBER   writes the changed one of that number to standard output
//
// What is wrong ends the program; the last line then names the input.
#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz.h"

#if defined(__has_feature)
#define HAS_ASAN __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#else
#define HAS_ASAN 0
#endif
#if HAS_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

namespace fs = std::filesystem;
using Input = std::vector<std::uint8_t>;

/// No input takes as much as a tenth of a second, the sanitizers included.
constexpr unsigned kSecondsForOne = 20;

struct Seed {
  std::string name;
  Input content;
};

std::string current;  // NOLINT: what is written when the program ends

void say_current() {
  // Nothing else is safe in a signal handler.
  if (::write(STDERR_FILENO, current.data(), current.size()) < 0) return;
}

void on_signal(int number) {
  say_current();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

std::vector<Seed> read_corpus(const fs::path& folder) {
  std::vector<Seed> seeds;
  for (const auto& file : fs::directory_iterator(folder)) {
    std::ifstream in(file.path(), std::ios::binary);
    seeds.push_back(
        {file.path().filename().string(), Input(std::istreambuf_iterator<char>(in), {})});
  }
  std::sort(seeds.begin(), seeds.end(),
            [](const Seed& a, const Seed& b) { return a.name < b.name; });
  return seeds;
}

/// Changes inputs. The generator's numbers are the same everywhere, unlike those of the standard
/// library's distributions.
class Changer {
 public:
  explicit Changer(std::uint32_t number) : random_(number) {}

  void change(Input& input, const Input& other) {
    for (std::size_t i = 0, times = 1 + below(4); i < times; ++i) change_once(input, other);
  }

 private:
  std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

  void change_once(Input& input, const Input& other) {
    const std::size_t at = below(input.size());
    const auto place = input.begin() + static_cast<std::ptrdiff_t>(at);
    switch (input.empty() ? 5 : below(6)) {
      case 0:
        *place = static_cast<std::uint8_t>(*place ^ (1U << below(8)));
        break;
      case 1:
        *place = static_cast<std::uint8_t>(below(256));
        break;
      case 2:
        write_number(input, at);
        break;
      case 3:
        input.erase(place, input.end());
        break;
      case 4:
        input.erase(place, place + static_cast<std::ptrdiff_t>(below(input.size() - at) % 16));
        break;
      default:
        splice(input, at, other);
    }
  }

  /// A number that is at the end of some range, of 1, 2, 4 or 8 bytes.
  void write_number(Input& input, std::size_t at) {
    constexpr std::uint64_t kNumbers[] = {0, 1, 0x7f, 0x7fff, 0x7fffffff, ~std::uint64_t{0}};
    const std::uint64_t number = kNumbers[below(std::size(kNumbers))] - below(3);
    const std::size_t size = std::min(std::size_t{1} << below(4), input.size() - at);
    const bool big_endian = below(4) == 0;
    for (std::size_t i = 0; i < size; ++i) {
      input[at + i] = static_cast<std::uint8_t>(number >> (8 * (big_endian ? size - 1 - i : i)));
    }
  }

  /// Puts a piece of another seed in, or over what is there.
  void splice(Input& input, std::size_t at, const Input& other) {
    const std::size_t from = below(other.size());
    const std::size_t size = std::min<std::size_t>(1 + below(64), other.size() - from);
    const auto begin = other.begin() + static_cast<std::ptrdiff_t>(from);
    const auto place = input.begin() + static_cast<std::ptrdiff_t>(at);
    if (below(2) == 0) {
      input.insert(place, begin, begin + static_cast<std::ptrdiff_t>(size));
    } else {
      std::copy_n(begin, std::min(size, input.size() - at), place);
    }
  }

  std::mt19937 random_;
};

Input changed(const std::vector<Seed>& seeds, std::uint32_t number) {
  Input input = seeds[number % seeds.size()].content;
  Changer(number).change(input, seeds[number / seeds.size() % seeds.size()].content);
  return input;
}

void give(const Input& input, std::string name) {
  current = "the input was " + std::move(name) + "\n";
  ::alarm(kSecondsForOne);
  (void)LLVMFuzzerTestOneInput(input.data(), input.size());
  ::alarm(0);
}

bool read_number(const char* text, std::uint32_t& number) {
  const std::string_view view(text);
  const auto parsed = std::from_chars(view.data(), view.data() + view.size(), number);
  return parsed.ec == std::errc{} && parsed.ptr == view.data() + view.size();
}

}  // namespace

int main(int argc, char** argv) {
  std::uint32_t count = 0;
  std::uint32_t number = 0;
  const bool only_write = argc == 4;
  if (argc < 3 || argc > 4 || !read_number(argv[2], count) ||
      (only_write && !read_number(argv[3], number))) {
    fmt::print(stderr, "usage: {} CORPUS COUNT [NUMBER]\n", argv[0]);
    return 2;
  }
  const std::vector<Seed> seeds = read_corpus(argv[1]);
  if (seeds.empty()) {
    fmt::print(stderr, "{} has no files in it\n", argv[1]);
    return 3;
  }
  if (only_write) {
    const Input input = changed(seeds, number);
    std::fwrite(input.data(), 1, input.size(), stdout);
    return 0;
  }
#if HAS_ASAN
  __sanitizer_set_death_callback(say_current);
#endif
  for (const int signal : {SIGABRT, SIGALRM}) ::signal(signal, on_signal);
  if (HAS_ASAN == 0) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE}) ::signal(signal, on_signal);
  }
  for (const Seed& seed : seeds) give(seed.content, seed.name);
  for (std::uint32_t i = 0; i < count; ++i) give(changed(seeds, i), fmt::format("number {}", i));
  fmt::print("{} files and {} changed ones\n", seeds.size(), count);
  return 0;
}
