// SPDX-License-Identifier: MIT
#include "exchange/fbx/animation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/try.h"

namespace marrow::fbx {
namespace {

enum : std::int64_t { kAdditive = 0, kOverride = 1, kPassThrough = 2 };

double ticks_per_second_of(const File& file) {
  constexpr double kUsual = 46186158000.0, kFine = 141120000.0;
  const Node* header = file.root.find("FBXHeaderExtension");
  const Node* version = header ? header->find("FBXHeaderVersion") : nullptr;
  const Node* other = header ? header->find("OtherFlags") : nullptr;
  const Node* definition = other ? other->find("TCDefinition") : nullptr;
  return version && version->integer(0) >= 1004 && definition && definition->integer(0) != 127 ? kFine : kUsual;
}

// Powers keep their sign, as scales that mirror do.
double factor(double value, double power) { return std::copysign(std::pow(std::abs(value), power), value); }

}  // namespace

double frames_per_second_of(const Objects& objects) {
  constexpr std::array<double, 18> kRates = {30,    120, 100, 60,   50,     48, 30, 30, 29.97,
                                             29.97, 25,  24,  1000, 23.976, 0,  96, 72, 59.94};
  constexpr double kCinema = 24.0;
  const double mode = objects.setting("TimeMode", 11);
  if (mode == 14) {
    const double custom = objects.setting("CustomFrameRate", kCinema);
    return custom > 0 && custom < 100000 ? custom : kCinema;
  }
  return mode >= 0 && mode < 18 ? kRates[static_cast<std::size_t>(mode)] : kCinema;
}

DVec3 Animation::Channel::at(double seconds) const {
  DVec3 value = otherwise;
  for (int i = 0; i < 3; ++i)
    if (const auto& curve = curves[static_cast<std::size_t>(i)]) value[i] = curve->at(seconds);
  return value;
}

double Animation::Layer::weight_at(double seconds) const {
  const double share = std::clamp(weight_curve ? weight_curve->at(seconds) / 100.0 : weight, 0.0, 1.0);
  return share > 0.99999 ? 1.0 : share;
}

DVec3 Animation::blended(const Layer& layer, std::size_t vector, const RotationRule& rule, const DVec3& base,
                         const DVec3& value, double seconds) {
  if (layer.mode == kOverride) return value;
  const double w = layer.weight_at(seconds);
  const bool passes = layer.mode == kPassThrough;
  if (vector == kRotation && layer.adds_rotations_as_rotations) {
    const std::size_t order = rule.has_space ? rule.order : 0;
    const DQuat from = rotation_of(base, order), to = rotation_of(value, order);
    return angles_of(passes ? glm::slerp(from, to, w) : from * glm::slerp(DQuat(1, 0, 0, 0), to, w), order);
  }
  DVec3 out;
  for (int i = 0; i < 3; ++i) {
    if (vector == kScaling && layer.adds_scales_as_factors)
      out[i] = passes ? std::copysign(std::pow(std::abs(base[i]), 1 - w) * std::pow(std::abs(value[i]), w), base[i])
                      : base[i] * factor(value[i], w);
    else
      out[i] = passes ? base[i] * (1 - w) + value[i] * w : base[i] + value[i] * w;
  }
  return out;
}

Place Animation::place(std::size_t clip, std::size_t node, double seconds) const {
  Vectors vectors = nodes_[node].own;
  if (clip < layers_.size())
    for (std::size_t v = 0; v < kVectorCount; ++v) {
      bool is_first = true;
      for (const Layer& layer : layers_[clip]) {
        if (const auto found = layer.channels.find(node * kVectorCount + v); found != layer.channels.end()) {
          const DVec3 value = found->second.at(seconds);
          vectors[v] = is_first ? value : blended(layer, v, nodes_[node].rule, vectors[v], value, seconds);
        }
        is_first = false;
      }
    }
  return place_of(vectors, nodes_[node].rule);
}

class Animation::Builder {
 public:
  Builder(const File& file, const Objects& objects, Animation& animation, Notes& notes)
      : file_(file), objects_(objects), animation_(animation), notes_(notes), ticks_(ticks_per_second_of(file)) {
    for (std::size_t i = 0; i < animation.nodes_.size(); ++i) node_of_[animation.nodes_[i].model->id] = i;
  }

  Result<void> build() {
    for (const Object& object : objects_.all())
      if (object.kind == "AnimationStack") MARROW_CHECK(add_clip(object));
    return {};
  }

 private:
  Result<std::shared_ptr<const Curve>> curve_of(const Object& object) {
    std::shared_ptr<const Curve>& kept = curves_[object.id];
    if (!kept) {
      MARROW_TRY(Curve curve, Curve::read(*object.node, ticks_, file_.is_ascii && file_.version >= 7200));
      kept = std::make_shared<const Curve>(std::move(curve));
    }
    return kept;
  }

  void widen(const Curve& curve) {
    first_ = std::min(first_, curve.first_second());
    last_ = std::max(last_, curve.last_second());
  }

  Result<void> add_channel(const Object& curve_node, Layer& layer) {
    for (const Link& target : objects_.above(curve_node)) {
      if (target.property == "Weight" && target.object->kind == "AnimationLayer") {
        for (const Link& link : objects_.below(curve_node))
          if (link.property == "d|Weight") {
            MARROW_TRY(const std::shared_ptr<const Curve> curve, curve_of(*link.object));
            if (!curve->empty()) layer.weight_curve = curve;
          }
        continue;
      }
      const auto node = node_of_.find(target.object->id);
      if (node == node_of_.end()) continue;
      for (std::size_t v = 0; v < kVectorCount; ++v)
        if (target.property == name_of(static_cast<Vector>(v)))
          MARROW_CHECK(add_vector(curve_node, node->second, v, layer));
    }
    return {};
  }

  Result<void> add_vector(const Object& curve_node, std::size_t node, std::size_t vector, Layer& layer) {
    constexpr std::array<std::string_view, 3> kComponents = {"d|X", "d|Y", "d|Z"};
    Channel channel;
    const DVec3& own = animation_.nodes_[node].own[vector];
    for (std::size_t i = 0; i < 3; ++i) {
      const auto axis = static_cast<int>(i);
      channel.otherwise[axis] = objects_.number(curve_node, kComponents[i], own[axis]);
      for (const Link& link : objects_.below(curve_node)) {
        if (link.property != kComponents[i] || link.object->kind != "AnimationCurve") continue;
        MARROW_TRY(const std::shared_ptr<const Curve> curve, curve_of(*link.object));
        if (curve->empty()) continue;
        channel.curves[i] = curve;
        widen(*curve);
      }
    }
    layer.channels[node * kVectorCount + vector] = std::move(channel);
    return {};
  }

  Result<void> add_clip(const Object& stack) {
    first_ = std::numeric_limits<double>::infinity();
    last_ = -first_;
    std::vector<Layer> layers;
    for (const Link& link : objects_.below(stack)) {
      if (link.object->kind != "AnimationLayer") continue;
      Layer& layer = layers.emplace_back();
      layer.weight = objects_.number(*link.object, "Weight", 100.0) / 100.0;
      layer.mode = objects_.integer(*link.object, "BlendMode", kAdditive);
      layer.adds_rotations_as_rotations = objects_.integer(*link.object, "RotationAccumulationMode", 0) == 0;
      layer.adds_scales_as_factors = objects_.integer(*link.object, "ScaleAccumulationMode", 0) == 0;
      for (const Link& below : objects_.below(*link.object))
        if (below.object->kind == "AnimationCurveNode") MARROW_CHECK(add_channel(*below.object, layer));
    }
    SourceClip clip{.name = stack.name};
    std::tie(clip.start_seconds, clip.end_seconds) = range_of(stack);
    constexpr double kLongest = 1e6;  // seconds; more is damage
    if (!(clip.end_seconds >= clip.start_seconds) || clip.end_seconds - clip.start_seconds > kLongest) {
      notes_.push_back({"clip '" + stack.name + "' has no duration that makes sense; only its first moment is read"});
      if (!(std::abs(clip.start_seconds) < kLongest)) clip.start_seconds = 0.0;
      clip.end_seconds = clip.start_seconds;
    }
    clip.frames_per_second = frames_per_second_of(objects_);
    clip.frame_count = frames_at(clip, clip.frames_per_second);
    animation_.clips_.push_back(std::move(clip));
    animation_.layers_.push_back(std::move(layers));
    return {};
  }

  std::pair<double, double> range_of(const Object& stack) const {
    const auto seconds = [&](std::int64_t ticks) { return static_cast<double>(ticks) / ticks_; };
    using Names = std::pair<std::string_view, std::string_view>;
    for (const auto& [start, stop] : {Names{"LocalStart", "LocalStop"}, Names{"ReferenceStart", "ReferenceStop"}}) {
      const Node *a = objects_.own_property(stack, start), *b = objects_.own_property(stack, stop);
      if (a || b) return {a ? seconds(a->integer(kFirstValue)) : 0.0, b ? seconds(b->integer(kFirstValue)) : 0.0};
    }
    if (const Node* takes = file_.root.find("Takes"))
      for (const Node& take : takes->children)
        if (const Node* time = take.find("LocalTime"); take.name == "Take" && take.text(0) == stack.name && time)
          return {seconds(time->integer(0)), seconds(time->integer(1))};
    return first_ <= last_ ? std::pair(first_, last_) : std::pair(0.0, 0.0);
  }

  const File& file_;
  const Objects& objects_;
  Animation& animation_;
  Notes& notes_;
  double ticks_;
  std::unordered_map<std::int64_t, std::size_t> node_of_;
  std::unordered_map<std::int64_t, std::shared_ptr<const Curve>> curves_;
  double first_ = 0.0, last_ = 0.0;  // of the keys of the clip that is read
};

Result<Animation> Animation::make(const File& file, const Objects& objects, std::span<const AnimatedNode> nodes,
                                  Notes& notes) {
  Animation animation;
  animation.nodes_.assign(nodes.begin(), nodes.end());
  MARROW_CHECK(Builder(file, objects, animation, notes).build());
  for (AnimatedNode& node : animation.nodes_) node.model = nullptr;  // it goes with the file
  return animation;
}

}  // namespace marrow::fbx
