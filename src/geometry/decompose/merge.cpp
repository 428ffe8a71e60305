// SPDX-License-Identifier: MIT
// Joins parts that were cut finer than needed. How parts are grouped is searched for on their hulls alone.
#include <algorithm>
#include <limits>
#include <map>

#include "geometry/decompose/parts.h"

namespace marrow::geometry {

namespace {

/// Parts that share one hull.
struct Group {
  std::vector<std::uint32_t> parts;  ///< ascending
  Wrap wrap;
  double volume = 0.0;    ///< of the solids
  bool is_closed = true;  ///< false: some part is a surface, and volume says nothing about the group
};

class Merger {
 public:
  Merger(const std::vector<Part>& parts, const ConcavityMeter& meter, const PartLimits& limits)
      : parts_(parts), meter_(meter), limits_(limits) {
    for (std::uint32_t i = 0; i < parts.size(); ++i) {
      groups_.push_back({{i}, parts[i].wrap, parts[i].volume, parts[i].solid.is_closed});
      volume_ += parts[i].volume;
      if (parts[i].solid.is_closed) excess_ += parts[i].excess();
    }
  }

  std::vector<Group> run() {
    // First what keeps the volume, then what keeps the distance, then whatever the number of hulls asks for.
    shrink(1, {limits_.concavity, limits_.volume_error * volume_, kNoLimit});
    shrink(limits_.hulls_for_volume, {limits_.concavity, kNoLimit, limits_.hull_worth * volume_});
    shrink(limits_.hulls, {});
    return std::move(groups_);
  }

 private:
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();

  struct Rules {
    double concavity = kNoLimit;  ///< of a group
    double excess = kNoLimit;     ///< of all together
    double added = kNoLimit;      ///< by one step

    bool allow(double present, double more) const { return more <= 0.0 || (present + more <= excess && more <= added); }
  };

  void shrink(std::size_t wanted, const Rules& rules) {
    if (groups_.size() <= wanted) return;
    join_pairs(wanted, rules);
    while (groups_.size() > wanted && dissolve_one(rules)) {
    }
    move_parts(rules.concavity);
  }

  bool keeps(const Wrap& hull, double volume, double concavity) const {
    if (concavity == kNoLimit) return true;
    if (ConcavityMeter::radius_of(hull.volume() - volume) > concavity) return false;
    return meter_.reach(hull.points, hull.hull, concavity) <= concavity;
  }

  struct Pair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    double added = 0.0;
    Wrap hull;
  };

  /// Joins the cheapest pair that keeps the limits until none does or `wanted` groups are left.
  void join_pairs(std::size_t wanted, const Rules& rules) {
    std::vector<Pair> pairs;
    std::vector<bool> gone(groups_.size(), false);
    std::size_t left = groups_.size();
    const auto add_pair = [&](std::uint32_t a, std::uint32_t b, bool anywhere) {
      if (!anywhere && !touch(groups_[a].wrap, groups_[b].wrap)) return;
      Pair pair{a, b, 0.0, wrap(groups_[a].wrap, groups_[b].wrap)};
      pair.added = pair.hull.volume() - groups_[a].wrap.volume() - groups_[b].wrap.volume();
      pairs.push_back(std::move(pair));
    };
    bool anywhere = false;
    for (std::uint32_t a = 0; a < groups_.size(); ++a)
      for (std::uint32_t b = a + 1; b < groups_.size(); ++b) add_pair(a, b, false);
    while (left > wanted) {
      Pair* best = nullptr;
      for (Pair& pair : pairs)
        if (best == nullptr || pair.added < best->added) best = &pair;
      if (best == nullptr) {
        // Nothing that touches is left; what does not is joined only if it must be.
        if (anywhere || rules.concavity != kNoLimit) break;
        anywhere = true;
        for (std::uint32_t a = 0; a < groups_.size(); ++a)
          for (std::uint32_t b = a + 1; b < groups_.size(); ++b)
            if (!gone[a] && !gone[b]) add_pair(a, b, true);
        continue;
      }
      const Pair pair = std::move(*best);
      pairs.erase(pairs.begin() + (best - pairs.data()));
      const double volume = groups_[pair.a].volume + groups_[pair.b].volume;
      const bool is_closed = groups_[pair.a].is_closed && groups_[pair.b].is_closed;
      const double added = is_closed ? pair.added : 0.0;
      if (!rules.allow(excess_, added) || !keeps(pair.hull, volume, rules.concavity)) continue;
      Group both{groups_[pair.a].parts, pair.hull, volume, is_closed};
      both.parts.insert(both.parts.end(), groups_[pair.b].parts.begin(), groups_[pair.b].parts.end());
      std::sort(both.parts.begin(), both.parts.end());
      excess_ += added;
      gone[pair.a] = gone[pair.b] = true;
      std::erase_if(pairs, [&](const Pair& other) { return gone[other.a] || gone[other.b]; });
      groups_.push_back(std::move(both));
      gone.push_back(false);
      --left;
      for (std::uint32_t a = 0; a + 1 < groups_.size(); ++a)
        if (!gone[a]) add_pair(a, static_cast<std::uint32_t>(groups_.size() - 1), anywhere);
    }
    std::vector<Group> kept;
    for (std::size_t i = 0; i < groups_.size(); ++i)
      if (!gone[i]) kept.push_back(std::move(groups_[i]));
    groups_ = std::move(kept);
  }

  Group group_of(std::vector<std::uint32_t> members) const {
    Group group;
    std::sort(members.begin(), members.end());
    std::vector<DVec3> points;
    for (std::uint32_t part : members) {
      const std::vector<DVec3>& own = parts_[part].wrap.points;
      points.insert(points.end(), own.begin(), own.end());
      group.volume += parts_[part].volume;
      group.is_closed = group.is_closed && parts_[part].solid.is_closed;
    }
    group.wrap = wrap(std::move(points));
    group.parts = std::move(members);
    return group;
  }

  static Group with(const Group& group, const Part& part, std::uint32_t number) {
    Group larger{group.parts, wrap(group.wrap, part.wrap), group.volume + part.volume,
                 group.is_closed && part.solid.is_closed};
    larger.parts.insert(std::lower_bound(larger.parts.begin(), larger.parts.end(), number), number);
    return larger;
  }

  /// Gives the parts of one group to its neighbours, if they can take them.
  bool dissolve_one(const Rules& rules) {
    std::vector<std::size_t> order(groups_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return groups_[a].parts.size() < groups_[b].parts.size(); });
    for (std::size_t gone : order) {
      if (groups_[gone].parts.size() > 8) break;
      std::map<std::size_t, Group> changed;
      double added = groups_[gone].is_closed ? -groups_[gone].wrap.volume() : 0.0;
      if (!hand_out(gone, rules.concavity, changed, added) || !rules.allow(excess_, added)) continue;
      excess_ += added;
      for (auto& [i, group] : changed) groups_[i] = std::move(group);
      groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(gone));
      return true;
    }
    return false;
  }

  bool hand_out(std::size_t gone, double concavity, std::map<std::size_t, Group>& changed, double& added) const {
    std::vector<std::uint32_t> homeless = groups_[gone].parts;
    // Those that a neighbour takes for the least go first: the others may then fit behind them.
    while (!homeless.empty()) {
      struct Offer {
        std::size_t to = 0;
        std::size_t which = 0;
        double added = 0.0;
        Group group;
      };
      std::vector<Offer> offers;
      for (std::size_t which = 0; which < homeless.size(); ++which)
        for (std::size_t to = 0; to < groups_.size(); ++to) {
          if (to == gone || !touch(groups_[to].wrap, groups_[gone].wrap)) continue;
          const auto found = changed.find(to);
          const Group& now = found == changed.end() ? groups_[to] : found->second;
          const Part& part = parts_[homeless[which]];
          if (!touch(now.wrap, part.wrap)) continue;
          Offer offer{to, which, 0.0, with(now, part, homeless[which])};
          offer.added = offer.group.wrap.volume() - now.wrap.volume();
          offers.push_back(std::move(offer));
        }
      std::stable_sort(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) { return a.added < b.added; });
      const auto best = std::find_if(offers.begin(), offers.end(), [&](const Offer& offer) {
        return keeps(offer.group.wrap, offer.group.volume, concavity);
      });
      if (best == offers.end()) return false;
      if (best->group.is_closed) added += best->added;
      homeless.erase(homeless.begin() + static_cast<std::ptrdiff_t>(best->which));
      changed[best->to] = std::move(best->group);
    }
    return true;
  }

  /// Moves single parts to a neighbour as long as the hulls get smaller by it.
  void move_parts(double concavity) {
    constexpr int kMostRounds = 8;
    for (int round = 0; round < kMostRounds; ++round) {
      bool has_changed = false;
      for (std::uint32_t number = 0; number < parts_.size(); ++number) has_changed |= move_part(number, concavity);
      if (!has_changed) break;
    }
  }

  bool move_part(std::uint32_t number, double concavity) {
    const auto home = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) {
      return std::binary_search(group.parts.begin(), group.parts.end(), number);
    });
    if (home->parts.size() < 2) return false;
    std::vector<std::uint32_t> rest = home->parts;
    std::erase(rest, number);
    const Group smaller = group_of(std::move(rest));
    const double saved = home->wrap.volume() - smaller.wrap.volume();
    // The smaller hull is sampled elsewhere than the larger one was, and may show more.
    if (!(saved > 1e-9) || !keeps(smaller.wrap, smaller.volume, concavity)) return false;
    std::size_t best = groups_.size();
    double best_gain = 1e-3 * saved;
    Group best_group;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (&groups_[i] == &*home || !touch(groups_[i].wrap, parts_[number].wrap)) continue;
      Group larger = with(groups_[i], parts_[number], number);
      const double gain = saved - (larger.wrap.volume() - groups_[i].wrap.volume());
      if (gain <= best_gain || !keeps(larger.wrap, larger.volume, concavity)) continue;
      best = i;
      best_gain = gain;
      best_group = std::move(larger);
    }
    if (best == groups_.size()) return false;
    const bool best_group_closed = best_group.is_closed;
    *home = smaller;
    groups_[best] = std::move(best_group);
    if (smaller.is_closed && best_group_closed) excess_ -= best_gain;
    return true;
  }

  const std::vector<Part>& parts_;
  const ConcavityMeter& meter_;
  PartLimits limits_;
  std::vector<Group> groups_;
  double volume_ = 0.0;
  double excess_ = 0.0;
};

}  // namespace

std::vector<Part> merge(const std::vector<Part>& parts, const ConcavityMeter& meter, const PartLimits& limits) {
  std::vector<Part> joined;
  for (Group& group : Merger(parts, meter, limits).run()) {
    Part part{parts[group.parts[0]].solid, std::move(group.wrap), group.volume, 0.0, true};
    for (std::size_t i = 1; i < group.parts.size(); ++i) append(part.solid, parts[group.parts[i]].solid);
    part.concavity = concavity_of(part, meter, std::numeric_limits<double>::infinity());
    joined.push_back(std::move(part));
  }
  return joined;
}

}  // namespace marrow::geometry
