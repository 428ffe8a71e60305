// SPDX-License-Identifier: MIT
// Every finding about bodies: found by its code, with its cure, and repaired where there is one right repair.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "nif/add_shape.h"
#include "nif/record.h"
#include "nif/shape.h"
#include "ops/body/list.h"
#include "ops/files/check.h"
#include "ops/files/diff.h"
#include "support/body_sample.h"
#include "support/documents.h"

using namespace marrow;

namespace {

constexpr test::BodyKind kLe{83, "NiTriShape", true}, kLeStatic{83, "NiTriShape", false}, kSe{100, "BSTriShape", true},
    kHead{100, "BSDynamicTriShape", true}, kFallout{130, "BSSubIndexTriShape", true}, kBox{130, "BSTriShape", false};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Corners = std::array<std::uint16_t, 3>;

template <class Edit>
void edit_blocks(NifFile& file, std::string_view type, Edit edit) {
  bool is_there = false;
  for (std::size_t i = 0; i < file.blocks.size(); ++i)
    if (const auto block = static_cast<std::int32_t>(i); file.type_of(block) == type) {
      nif::Record record = *nif::read_block(file, block);
      edit(record);
      const auto written = nif::write_block(file, block, record);
      REQUIRE_MESSAGE(written.has_value(), written.error().message);
      is_there = true;
    }
  REQUIRE(is_there);
}

template <class T>
void put(std::vector<std::byte>& bytes, std::size_t at, T value) {
  REQUIRE(at + sizeof value <= bytes.size());
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void name_textures(NifFile& file, std::string_view first, std::string_view second) {
  edit_blocks(file, "BSShaderTextureSet", [&](nif::Record& record) {
    record.records("textures")[0].set_text("value", first);
    record.records("textures")[1].set_text("value", second);
  });
}

Findings checked(const NifFile& file, const CheckOptions& options = {}, const Lookup* lookup = nullptr) {
  Context context{.lookup = lookup};
  const auto report = check(write_nif(file), "sheet.nif", options, context);
  REQUIRE(report);
  return report->findings;
}

bool finds(const Findings& findings, std::string_view code) {
  return std::ranges::any_of(findings, [&](const Finding& each) { return each.code == code; });
}

/// A file with one fault, and the code by which it is found.
struct Damage {
  std::string_view code;
  test::BodyKind kind;
  void (*edit)(NifFile& file);
  bool is_mended = false;
};

const Damage kDamages[] = {
    {"E_VERTEX_INDEX", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiTriShapeData", [](nif::Record& r) {
         auto triangles = r.values<Corners>("triangles");
         triangles[0][0] = 500;
         r.set_values("triangles", triangles);
       });
     }},
    {"E_VERTEX_INDEX", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) {
         auto map = r.records("partitions")[0].values<std::uint16_t>("map");
         map[0] = 500;
         r.records("partitions")[0].set_values("map", map);
       });
     }},
    {"E_VERTEX_INDEX", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinData",
                   [](nif::Record& r) { put(r.records("bones")[0].bytes("weights"), 0, std::uint16_t{500}); });
     }},
    {"E_BONE_INDEX", kSe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) { r.bytes("vertices")[32 + 8] = std::byte{99}; });
     }},
    {"E_BONE_INDEX", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSSubIndexTriShape", [](nif::Record& r) { r.bytes("vertices")[24 + 8] = std::byte{99}; });
     }},
    {"E_NAN", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSSubIndexTriShape", [](nif::Record& r) { put(r.bytes("vertices"), 0, std::uint16_t{0x7E00}); });
     }},
    {"E_NAN", kFallout,
     [](NifFile& f) { edit_blocks(f, "BSSkin::BoneData", [](nif::Record& r) { put(r.bytes("bones"), 16, kNan); }); }},
    {"E_NAN", kFallout,
     [](NifFile& f) { edit_blocks(f, "BSSkin::BoneData", [](nif::Record& r) { put(r.bytes("bones"), 0, kNan); }); }},
    {"E_NAN", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinData", [](nif::Record& r) { r.records("bones")[0].set("bound", kNan, 3); });
     }},
    {"E_NAN", kSe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinData", [](nif::Record& r) { put(r.records("bones")[0].bytes("weights"), 2, kNan); });
     }},
    {"E_NAN", kLe,
     [](NifFile& f) { edit_blocks(f, "NiSkinData", [](nif::Record& r) { r.set("translation", kNan, 1); }); }},
    {"E_NAN", kSe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition",
                   [](nif::Record& r) { put(r.records("partitions")[0].bytes("weights"), 0, kNan); });
     }},
    {"E_VERTEX_INDEX", kSe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) {
         put(r.records("partitions")[0].bytes("triangles_copy"), 0, std::uint16_t{500});
       });
     }},
    {"I_NAN", kLe,
     [](NifFile& f) { edit_blocks(f, "NiTriShapeData", [](nif::Record& r) { put(r.bytes("colors"), 0, kNan); }); }},
    {"E_SKIN_BONE", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSSkin::Instance",
                   [](nif::Record& r) { r.set_values("bones", std::vector<std::int32_t>{1, 3}); });
     }},
    {"E_SKIN_DATA", kFallout,
     [](NifFile& f) { edit_blocks(f, "BSSkin::BoneData", [](nif::Record& r) { r.bytes("bones").resize(68); }); }},
    {"E_BIND_POSE", kFallout,
     [](NifFile& f) { edit_blocks(f, "BSSkin::BoneData", [](nif::Record& r) { put(r.bytes("bones"), 64, 0.0f); }); }},
    {"E_PARTITION", kSe,
     [](NifFile& f) { edit_blocks(f, "BSDismemberSkinInstance", [](nif::Record& r) { r.bytes("parts").resize(4); }); }},
    {"E_PARTITION", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) {
         r.records("partitions").clear();
         r.set_integer("partition_count", 0);
       });
     }},
    {"E_PARTITION_TRIANGLE", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) {
         auto triangles = r.records("partitions")[0].values<Corners>("triangles");
         triangles[0] = {triangles[0][2], triangles[0][2], triangles[0][2]};
         r.records("partitions")[0].set_values("triangles", triangles);
       });
     },
     true},
    {"E_PARTITION_BONES", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) {
         auto bones = r.records("partitions")[0].values<std::uint16_t>("bones");
         bones.resize(61, 0);
         r.records("partitions")[0].set_values("bones", bones);
         r.records("partitions")[0].set_integer("bone_count", bones.size());
       });
     },
     true},
    {"E_SKIN_BONES", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSSkin::Instance", [](nif::Record& r) {
         auto bones = r.values<std::int32_t>("bones");
         bones.resize(257, 1);
         r.set_values("bones", bones);
       });
       edit_blocks(f, "BSSkin::BoneData", [](nif::Record& r) {
         const std::vector<std::byte> one(r.bytes("bones").begin(), r.bytes("bones").begin() + 68);
         while (r.bytes("bones").size() < 257 * 68)
           r.bytes("bones").insert(r.bytes("bones").end(), one.begin(), one.end());
       });
     }},
    {"W_SKIN_BONES", kSe,
     [](NifFile& f) {
       edit_blocks(f, "BSDismemberSkinInstance", [](nif::Record& r) {
         auto bones = r.values<std::int32_t>("bones");
         bones.resize(81, 1);
         r.set_values("bones", bones);
       });
       edit_blocks(f, "NiSkinData", [](nif::Record& r) {
         nif::Record empty = r.records("bones")[0];
         empty.bytes("weights").clear();
         empty.set_integer("weight_count", 0);
         r.records("bones").resize(81, empty);
         r.set_integer("bone_count", 81);
       });
     }},
    {"E_SEGMENT", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSSubIndexTriShape",
                   [](nif::Record& r) { r.records("segments")[1].set_integer("triangle_count", 5); });
     }},
    {"W_SEGMENT", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSSubIndexTriShape", [](nif::Record& r) {
         auto subs = r.records("segments")[1].values<std::array<std::uint32_t, 4>>("sub_segments");
         --subs[1][1];
         r.records("segments")[1].set_values("sub_segments", subs);
       });
     }},
    {"W_DATA_SIZE", kBox,
     [](NifFile& f) { edit_blocks(f, "BSTriShape", [](nif::Record& r) { r.set_integer("data_size", 7); }); }, true},
    {"E_OTHER_GAME", {100, "BSTriShape", false}, [](NifFile& f) { f.stream = 83; }},
    {"W_BOUND", kBox,
     [](NifFile& f) { edit_blocks(f, "BSTriShape", [](nif::Record& r) { r.set("bound", 0.01f, 3); }); }, true},
    {"W_UNWEIGHTED", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSSubIndexTriShape", [](nif::Record& r) {
         std::ranges::fill(std::span(r.bytes("vertices")).subspan(24, 8), std::byte{0});
       });
     }},
    {"W_WEIGHT_SUM", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSSubIndexTriShape", [](nif::Record& r) {
         for (std::size_t at = 24; at < r.bytes("vertices").size(); at += 36)
           r.bytes("vertices")[at + 1] = std::byte{0x30};
       });
     },
     true},
    {"W_PARTITION_PALETTE", kSe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) {
         nif::Record& partition = r.records("partitions")[0];
         partition.set_values("bones", std::vector<std::uint16_t>(partition.size("bones"), 0));
       });
     },
     true},
    {"W_PARTITION_COPY", kSe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) {
         auto triangles = r.records("partitions")[0].values<Corners>("triangles_copy");
         std::swap(triangles[0], triangles[1]);
         r.records("partitions")[0].set_values("triangles_copy", triangles);
       });
     }},
    {"W_PARTITION_TRIANGLE", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinPartition", [](nif::Record& r) {
         auto triangles = r.records("partitions")[0].values<Corners>("triangles");
         triangles.push_back({0, 1, static_cast<std::uint16_t>(r.records("partitions")[0].size("map") - 1)});
         r.records("partitions")[0].set_values("triangles", triangles);
         r.records("partitions")[0].set_integer("triangle_count", triangles.size());
       });
     }},
    {"W_NO_NORMALS", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiTriShapeData", [](nif::Record& r) {
         r.set_integer("has_normals", 0);
         for (const char* field : {"normals", "tangents", "bitangents"}) r.bytes(field).clear();
       });
     }},
    {"W_TEXTURE_PATH", kLe,
     [](NifFile& f) { name_textures(f, "C:\\Games\\Data\\Textures\\sheet_d.dds", "\\textures/sheet_n.dds"); }, true},
    {"W_TEXTURE_PATH", kLe, [](NifFile& f) { name_textures(f, "C:\\Games\\sheet_d.dds", "/sheet_n.dds"); }},
    {"I_INFLUENCES", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiSkinData", [](nif::Record& r) {
         std::vector<std::byte>& weights = r.records("bones")[0].bytes("weights");
         const std::vector<std::byte> first(weights.begin(), weights.begin() + 6);
         for (int i = 0; i < 4; ++i) weights.insert(weights.begin(), first.begin(), first.end());
         r.records("bones")[0].set_integer("weight_count", weights.size() / 6);
       });
     }},
    {"I_DEGENERATE", kBox,
     [](NifFile& f) {
       edit_blocks(f, "BSTriShape", [](nif::Record& r) {
         auto triangles = r.values<Corners>("triangles");
         triangles[0][1] = triangles[0][0];
         r.set_values("triangles", triangles);
       });
     }},
    {"I_NO_SKIN", kFallout,
     [](NifFile& f) {
       const auto copy = copy_shape(f, read_shapes(f)->front().block);
       REQUIRE(copy);
       nif::Record record = *nif::read_block(f, *copy);
       record.set("skin", kNoBlock);
       REQUIRE(nif::write_block(f, *copy, record));
     }},
    {"I_OLD_SHAPE", kLeStatic, [](NifFile& f) { f.stream = 100; }},
    {"I_NO_SHADER", kBox,
     [](NifFile& f) { edit_blocks(f, "BSTriShape", [](nif::Record& r) { r.set("shader", kNoBlock); }); }},
    {"I_SHADER_SKINNED", kFallout,
     [](NifFile& f) {
       edit_blocks(f, "BSLightingShaderProperty", [](nif::Record& r) { r.set("shader_flags_1", std::uint32_t{0}); });
     }},
    {"I_SHADER_COLORS", kLe,
     [](NifFile& f) {
       edit_blocks(f, "NiTriShapeData", [](nif::Record& r) {
         r.set_integer("has_colors", 0);
         r.bytes("colors").clear();
       });
     }},
};

NifFile damaged(const Damage& damage) {
  NifFile file = test::sample_body(damage.kind);
  damage.edit(file);
  return file;
}

}  // namespace

TEST_CASE("every fault of a body is found by its code, with what to do about it") {
  for (const Damage& damage : kDamages) {
    CAPTURE(std::string(damage.code));
    CAPTURE(std::string(damage.kind.type));
    const Findings findings = checked(damaged(damage));
    REQUIRE(finds(findings, damage.code));
    for (const Finding& finding : findings) {
      if (finding.code != damage.code) continue;
      const bool has_words = finding.message.find("cure: ") != std::string::npos ||
                             finding.message.find("fixed copies have ") != std::string::npos;
      CHECK_MESSAGE(has_words, finding.message);
      CHECK((finding.cure == automatic_cure()) == damage.is_mended);
      CHECK(finding.where.find("shape 'Sheet") == 0);
    }
  }
}

TEST_CASE("a bone that is not there is not also a gap in the palette, which no fix fills") {
  NifFile file = test::sample_body(kSe);
  edit_blocks(file, "NiSkinPartition", [](nif::Record& r) { r.bytes("vertices")[32 + 8] = std::byte{99}; });
  CHECK(finds(checked(file), "E_BONE_INDEX"));
  CHECK_FALSE(finds(checked(file), "W_PARTITION_PALETTE"));
}

TEST_CASE("a head part whose size contradicts its vertices is found") {
  NifFile file = test::sample_body(kHead);
  edit_blocks(file, "BSDynamicTriShape", [](nif::Record& record) {
    record.bytes("dynamic").resize(record.bytes("dynamic").size() - 16);
    record.set_integer("dynamic_size", record.size("dynamic"));
  });
  const Findings findings = checked(file);
  CHECK(std::ranges::any_of(findings, [](const Finding& each) {
    return each.level == Level::Error && (each.code == "E_DATA_SIZE" || each.code == "E_MALFORMED");
  }));
}

TEST_CASE("what has one right repair is repaired, and nothing else is found then") {
  for (const Damage& damage : kDamages) {
    if (!damage.is_mended) continue;
    CAPTURE(std::string(damage.code));
    const NifFile broken = damaged(damage);
    Context context;
    const auto mended = fixed(test::loaded(write_nif(broken), Parts::None, "sheet.nif"), {}, context);
    REQUIRE(mended);
    for (const Finding& finding : checked(*mended->nif()))
      CHECK_MESSAGE(finding.level == Level::Info, finding.code << ": " << finding.message);
    CHECK(read_shapes(*mended->nif())->front().triangles ==
          read_shapes(test::sample_body(damage.kind))->front().triangles);
    // Again there is nothing to do.
    Context quiet;
    const auto again = fixed(*mended, {}, quiet);
    REQUIRE(again);
    CHECK(write_nif(*again->nif()) == write_nif(*mended->nif()));
  }
}

TEST_CASE("paths of textures keep what lies below the data folder") {
  NifFile file = test::sample_body(kLe);
  name_textures(file, "C:\\Games\\Data\\Textures\\Actors\\sheet_d.dds", "D:\\sheet_n.dds");
  Context context;
  const auto mended = fixed(test::loaded(write_nif(file), Parts::None, "sheet.nif"), {}, context);
  REQUIRE(mended);
  const std::vector<std::string> paths = read_shapes(*mended->nif())->front().material.textures;
  CHECK(paths == std::vector<std::string>{"Textures\\Actors\\sheet_d.dds", "D:\\sheet_n.dds"});
}

TEST_CASE("with a data folder, textures that are not there are named once for each shape") {
  const Lookup lookup([](const std::string& name, std::size_t) -> Result<std::vector<std::byte>> {
    if (name != "Data/textures/sheet_d.dds") return fail(ErrorCode::NotFound, "there is no such file");
    return std::vector<std::byte>(4);
  });
  NifFile file = test::sample_body(kLe);
  edit_blocks(file, "BSLightingShaderProperty", [](nif::Record& record) { record.set("name", kNoBlock); });
  CHECK_FALSE(finds(checked(file, {}, &lookup), "W_TEXTURE_MISSING"));
  const Findings findings = checked(file, {.data = {"Data"}}, &lookup);
  REQUIRE(std::ranges::count(findings, "W_TEXTURE_MISSING", &Finding::code) == 1);
  CHECK(std::ranges::find(findings, "W_TEXTURE_MISSING", &Finding::code)->message.find("sheet_n.dds") !=
        std::string::npos);
  // The material file of Fallout 4 names the textures that are drawn.
  CHECK_FALSE(finds(checked(test::sample_body(kFallout), {.data = {"Data"}}, &lookup), "W_TEXTURE_MISSING"));
}

TEST_CASE("a difference of two bodies is named by shape and attribute, with its size") {
  NifFile file = test::sample_body(kSe);
  edit_blocks(file, "NiSkinPartition", [](nif::Record& record) {
    float x = 0.0f;
    std::memcpy(&x, record.bytes("vertices").data(), 4);
    put(record.bytes("vertices"), 0, x + 2.0f);
  });
  edit_blocks(file, "BSLightingShaderProperty", [](nif::Record& record) { record.set("alpha", 0.5f); });
  Context context;
  const auto report = diff(test::loaded(write_nif(test::sample_body(kSe)), Parts::None, "a.nif"),
                           test::loaded(write_nif(file), Parts::None, "b.nif"), {}, context);
  REQUIRE(report);
  const auto moved = std::ranges::find(report->differences, "positions", &Difference::field);
  REQUIRE(moved != report->differences.end());
  CHECK(moved->kind == "shape");
  CHECK(moved->object.find("shape 'Sheet'") == 0);
  CHECK(moved->size == doctest::Approx(2.0));
  CHECK(moved->unit == "units");
  CHECK(moved->right->ends_with("1 of 12 differ"));
  CHECK(std::ranges::count(report->differences, "shape", &Difference::kind) == 1);
  CHECK(std::ranges::any_of(report->differences,
                            [](const Difference& each) { return each.field == "alpha" && each.right == "0.5"; }));
  CHECK_FALSE(diff(test::loaded(write_nif(file), Parts::None, "a.nif"),
                   test::loaded(write_nif(file), Parts::None, "b.nif"), {}, context)
                  ->found());
}
