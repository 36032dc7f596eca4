// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/object_symbols.h"

namespace torchpkg {

/// What is known of each name while a linker goes through its line. A name has a number, so that
/// the index of a large static library can be gone through many times.
class SymbolStates {
 public:
  enum class State : std::uint8_t { kUnknown, kNeeded, kCommon, kDefined };

  /// The number of a name; the name must outlive this.
  std::size_t number_of(std::string_view name) {
    const auto [place, first] = numbers_.try_emplace(name, states_.size());
    if (first) states_.push_back(State::kUnknown);
    return place->second;
  }

  [[nodiscard]] State state(std::size_t number) const { return states_[number]; }

  /// A name that is defined somewhere, whatever the objects say.
  void define(std::string_view name) { states_[number_of(name)] = State::kDefined; }

  /// An object is linked.
  void add(const ObjectSymbols& object) {
    for (const ObjectSymbol& symbol : object.symbols) {
      State& state = states_[number_of(symbol.name)];
      const State now = symbol.use == SymbolUse::kNeeded   ? State::kNeeded
                        : symbol.use == SymbolUse::kCommon ? State::kCommon
                                                           : State::kDefined;
      if (now > state) state = now;
    }
  }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<State> states_;
};

}  // namespace torchpkg
