// SPDX-License-Identifier: MIT
#include "samples.h"

#include "anvil/diff.h"

namespace marrow::anvil {
namespace {

// The sword addon as the published description shows it, comments and all, with one of each further piece it shows.
constexpr std::string_view kPublished = R"(<?xml version="1.0" encoding="utf-8"?>
<?info tool="AnvilToolkit" toolVersion="1.2.10" type="0"?>
<Skeleton ID="882909070">
<!-- What kind of skeleton this is -->
<Value Name="SkeletonType" Type="UInt32">8</Value> <!-- 8 = SKELETONTYPE_CUSTOM -->
<List Name="Bones">
<!-- Bone 0: Root -->
<Bone ID="882909071">
<Value Name="Name" Type="UInt32" HashName="Spine">1393476043</Value>
<ObjectPtr Name="Parent" /> <!-- No parent = root -->
</Bone>
<Bone ID="1091164576">
<Value Name="Name" Type="UInt32" HashName="Hips">3738240529</Value>
<ObjectPtr Name="Parent"><Link><Value Name="Value" Type="UInt64">882909071</Value> <!-- Parent = Spine --></Link></ObjectPtr>
<ObjectPtr Name="MirrorBone"><Link><Value Name="Value" Type="UInt64">1091164576</Value></Link></ObjectPtr>
<Vector4 Name="GlobalPosition"><X>0</X> <Y>0</Y> <Z>0</Z> <W>0</W></Vector4>
<Quat Name="GlobalRotation"><X>-0.5</X> <Y>-0.5</Y> <Z>-0.5</Z> <W>0.5</W></Quat>
<Vector4 Name="LocalPosition"><X>0</X> <Y>0</Y> <Z>0</Z> <W>0</W></Vector4>
<Quat Name="LocalRotation"><X>-0.5</X> <Y>-0.5</Y> <Z>-0.5</Z> <W>0.5</W></Quat>
<Value Name="SolvingPriority" Type="Byte">3</Value>
<Value Name="MirroringType" Type="Enum" EnumName="BoneMirroringType"
ValueName="BONEMIRRORING_PELVIS_TO_BIPED">4</Value>
<List Name="BoneModifiers">
<BallJointBoneModifier ID="22223737855" BlendWeight="0.5" UseModifiedBoneMatrix="true">
<Value Name="Mass" Type="Single">2.5</Value>
<Value Name="CollisionRadius" Type="Single">0.04</Value>
<Value Name="ConstraintAngle" Type="Single">15</Value>
<Value Name="ConstraintScaleY" Type="Single">1</Value>
<Value Name="ConstraintScaleZ" Type="Single">1</Value>
<Value Name="MechanicalFriction" Type="Single">1.5</Value>
<Value Name="AirFriction" Type="Single">0.25</Value>
<Value Name="WindScale" Type="Single">0.35</Value>
<Value Name="WindRandomFactor" Type="Single">1</Value>
<Value Name="GravityMode" Type="Enum" EnumName="GravityMode"
ValueName="LocalGravity">1</Value>
<Vector4 Name="OwnGravity"><X>0</X> <Y>0</Y> <Z>-9.81</Z> <W>0</W> <!-- Custom gravity vector --></Vector4>
<Value Name="LocalYawOft" Type="Single">7.5</Value>
<Value Name="LocalPitchOft" Type="Single">15</Value>
<Value Name="LocalRollOft" Type="Single">0</Value>
<Reference Name="CommonData"><FileReference Name="Value" IsGlobal="0" Path="0">0</FileReference></Reference>
</BallJointBoneModifier>
<HingeBoneModifier ID="882909073" BlendWeight="1" UseModifiedBoneMatrix="false">
<Value Name="LagFactor" Type="Single">0.4</Value>
<Value Name="WeightFactor" Type="Single">0.4</Value>
<Vector4 Name="Gravity"><X>0</X> <Y>0</Y> <Z>-65</Z> <W>0</W></Vector4>
<ObjectPtr Name="GravityAssociatedBone" />
<Value Name="WindScale" Type="Single">0.1</Value>
<Value Name="AxisConstraintType" Type="Int32">0</Value>
<Value Name="AxisLookAtType" Type="Int32">2</Value>
<List Name="Constraints">
<BaseObject>
<Hinge ID="882909074">
<ObjectPtr Name="ConstraintAssociatedBone" />
<Value Name="MinAngle" Type="Single">-0.7853982</Value>
<Value Name="MaxAngle" Type="Single">0.7853982</Value>
<Value Name="DeltaMinDamping" Type="Single">0.7853982</Value>
<Value Name="DeltaMaxDamping" Type="Single">0</Value>
<Vector4 Name="InitialGlobalPosition"><X>0</X> <Y>0</Y> <Z>0</Z> <W>0</W></Vector4>
<Quat Name="InitialGlobalRotation"><X>0</X> <Y>0</Y> <Z>0</Z> <W>1</W></Quat>
</Hinge>
</BaseObject>
</List>
<Vector4 Name="LocalAxisConstraint"><X>1</X> <Y>0</Y> <Z>0</Z> <W>0</W></Vector4>
</HingeBoneModifier>
<MaxLookAtBoneModifier ID="4789178997" BlendWeight="1" UseModifiedBoneMatrix="false">
<ObjectPtr Name="UpNode"><Link><Value Name="Value" Type="UInt64">882909071</Value></Link></ObjectPtr>
<ObjectPtr Name="LookAtBone"><Link><Value Name="Value" Type="UInt64">882909071</Value></Link></ObjectPtr>
<Vector4 Name="LookAtPosOffset"><X>0</X> <Y>0</Y> <Z>0</Z> <W>0</W></Vector4>
<Value Name="LookAtUsedAxis" Type="Enum" EnumName="MaxLookAtBoneAxis" ValueName="AXIS_X">0</Value>
<Value Name="UpUsedAxis" Type="Enum" EnumName="MaxLookAtBoneAxis" ValueName="AXIS_Z">2</Value>
<Value Name="UpNodeControl" Type="Enum" EnumName="MaxLookAtUpNodeControl" ValueName="AXIS_ALIGNMENT">1</Value>
<Value Name="SourceAxis" Type="Enum" EnumName="MaxLookAtBoneAxis" ValueName="AXIS_MINUS_Z">5</Value>
</MaxLookAtBoneModifier>
</List>
<Value Name="WrinkleCategory" Type="Enum" EnumName="WrinkleCategory" ValueName="None">7</Value>
<Value Name="WrinkleFactor" Type="Single">0</Value>
</Bone>
</List>
<ObjectPtr Name="RootBone"><Link><Value Name="Value" Type="UInt64">882909071</Value></Link></ObjectPtr>
<Vector4 Name="RootBoneDefaultLocalPosition"><X>0</X> <Y>0</Y> <Z>0</Z> <W>0</W></Vector4>
<Quat Name="RootBoneDefaultLocalRotation"><X>0</X> <Y>0</Y> <Z>0</Z> <W>1</W></Quat>
<Reference Name="BodyPartMapping"><FileReference Name="Value" IsGlobal="0" Path="0">0</FileReference></Reference>
<List Name="PoseGroups" />
<BaseObjectPtr Name="IKData" />
<ObjectPtr Name="COMData" />
<Reference Name="LookAtDataSkeletonDefinitionDefault"><FileReference Name="Value" IsGlobal="0" Path="0">0</FileReference></Reference>
<Value Name="SkeletonKey" Type="UInt32">3480848966</Value>
</Skeleton>)";

std::string with_unknown_parts() {
  std::string text(kPublished);
  const auto insert = [&](std::string_view before, std::string_view what) { text.insert(text.find(before), what); };
  insert("<Value Name=\"SolvingPriority\"",
         "<Value Name=\"Odd\" Type=\"Single\">1.25</Value>"
         "<Vector4 Name=\"OddVector\"><X>1</X><Y>2</Y><Z>3</Z><W>4</W></Vector4>"
         "<Mystery Kind=\"a &amp; b\"><Deep><Deeper>text</Deeper></Deep></Mystery>");
  insert("<MaxLookAtBoneModifier",
         "<WrinkleBoneModifier ID=\"77\" BlendWeight=\"1\" UseModifiedBoneMatrix=\"false\">"
         "<Value Name=\"Depth\" Type=\"Int32\">-3</Value><List Name=\"Folds\"><Fold /></List>"
         "</WrinkleBoneModifier>");
  insert("<Value Name=\"SkeletonKey\"", "<List Name=\"FaceBuilder\"><Face ID=\"9\" /></List>");
  text.replace(text.find("<Bone ID=\"1091164576\">"), 22, "<Bone ID=\"1091164576\" Remark=\"mine\">");
  text.replace(text.find("Name=\"Mass\" Type"), 16, "Name=\"Mass\" Unit=\"kg\" Type");
  return text;
}

std::string recoded(std::string_view ascii, int unit_bytes, bool big_endian, bool mark) {
  std::string out;
  const auto put = [&](unsigned c) {
    for (int i = 0; i < unit_bytes; ++i) {
      const int shift = 8 * (big_endian ? unit_bytes - 1 - i : i);
      out += static_cast<char>(shift < 32 ? (c >> shift) & 255 : 0);
    }
  };
  if (mark) put(0xFEFF);
  for (const char c : ascii) put(static_cast<unsigned char>(c));
  return out;
}

}  // namespace

TEST_CASE("the published examples are read with every field in place") {
  Skeleton skeleton = parse(kPublished);
  CHECK(skeleton.id == 882909070);
  CHECK(skeleton.type == 8);
  CHECK(skeleton.key == 3480848966u);
  CHECK(skeleton.root.target == 882909071);
  REQUIRE(skeleton.bones.size() == 2);
  CHECK(skeleton.bones[0].parent.is_null());
  const Bone& hips = skeleton.bones[1];
  CHECK(hips.name == BoneName{3738240529u, "Hips"});
  CHECK(hips.parent.target == 882909071);
  CHECK(hips.local_rotation == make_quat(-0.5f, -0.5f, -0.5f, 0.5f));
  CHECK(hips.solving_priority == 3);
  CHECK(hips.mirroring_type == 4);
  REQUIRE(hips.modifiers.size() == 3);
  CHECK(hips.modifiers[0].id == 22223737855u);
  CHECK(hips.modifiers[0].blend_weight == 0.5f);
  CHECK(hips.modifiers[0].use_modified_bone_matrix);
  CHECK(hips.modifiers[0].owner.target == hips.id);
  const auto& ball = std::get<BallJointModifier>(hips.modifiers[0].data);
  CHECK(ball.mass == 2.5f);
  CHECK(ball.collision_radius == 0.04f);
  CHECK(ball.constraint_angle == 15.0f);
  CHECK(ball.mechanical_friction == 1.5f);
  CHECK(ball.wind_scale == 0.35f);
  CHECK(ball.gravity_mode == 1);
  CHECK(ball.own_gravity == Vec4(0, 0, -9.81f, 0));
  CHECK(ball.local_yaw_offset == 7.5f);
  const auto& hinge = std::get<HingeModifier>(hips.modifiers[1].data);
  CHECK(hinge.gravity.z == -65.0f);
  CHECK(hinge.axis_look_at_type == 2);
  REQUIRE(hinge.constraints.size() == 1);
  CHECK(hinge.constraints[0].id == 882909074);
  CHECK(hinge.constraints[0].min_angle == -0.7853982f);
  const auto& look = std::get<MaxLookAtModifier>(hips.modifiers[2].data);
  CHECK(look.up_node.target == 882909071);
  CHECK(look.up_node_control == 1);
  CHECK(look.source_axis == 5);
  CHECK(hips.modifiers[2].kept.line.number == 65);
}

TEST_CASE("both dialects carry a skeleton without loss, unknown parts included") {
  for (const std::string& text : {std::string(kPublished), with_unknown_parts()}) {
    const Skeleton skeleton = parse(text);
    const Skeleton schema = reread(skeleton, {.dialect = Dialect::Schema, .game = Game::Rogue});
    CHECK(schema.origin.dialect == Dialect::Schema);
    CHECK(schema == skeleton);
    CHECK(reread(skeleton) == skeleton);
    CHECK(reread(schema) == skeleton);
    CHECK(diff(skeleton, schema).empty());
    CHECK(written(reread(schema)) == written(reread(skeleton)));
  }
}

TEST_CASE("what is not known is written back in its place, values of shared types in the words of the dialect") {
  const Skeleton skeleton = parse(with_unknown_parts());
  const auto bytes = written(skeleton, {.dialect = Dialect::Schema});
  const std::string schema(as_text(bytes));
  const auto has = [&](std::string_view part) { return schema.find(part) != std::string::npos; };
  CHECK(has("<Float Name=\"Odd\">1.25</Float>"));
  CHECK(has("<Vector4 Name=\"OddVector\">( 1, 2, 3, 4 )</Vector4>"));
  CHECK(has("<Mystery Kind=\"a &amp; b\" Dialect=\"standard\">"));
  CHECK(has("<ObjectPtr ID=\"77\" Type=\"WrinkleBoneModifier\" PointerType=\"Inlined\">"));
  CHECK(has("<Signed32 Name=\"Depth\">-3</Signed32>"));
  CHECK(has("Remark=\"mine\""));
  CHECK(has("<Float Name=\"Mass\" Unit=\"kg\">2.5</Float>"));
  CHECK(has("<!-- Custom gravity vector -->"));
  CHECK(schema.find("Name=\"OddVector\"") < schema.find("Name=\"SolvingPriority\""));
  CHECK(schema.find("Name=\"LocalRotation\">( -0.5") < schema.find("Name=\"Odd\""));
}

TEST_CASE("a processing instruction of several lines comes back, whatever ends the lines") {
  for (const std::string_view end : {"\n", "\r\n", "\r"}) {
    std::string text(kPublished);
    text.insert(text.find("<Value Name=\"SolvingPriority\""), "<?note two" + std::string(end) + "lines?>");
    text.insert(text.find("<List Name=\"BoneModifiers\""), "<Odd><?note two" + std::string(end) + "lines?></Odd>");
    const Skeleton skeleton = parse(text);
    const auto schema = written(skeleton, {.dialect = Dialect::Schema});
    CHECK(as_text(schema).find("<?note two\r\nlines?>") != std::string_view::npos);
    for (const Dialect dialect : {Dialect::Standard, Dialect::Schema})
      CHECK(diff(skeleton, reread(skeleton, {.dialect = dialect})).empty());
  }
}

TEST_CASE("a field that is there twice is read once and kept twice, in whatever order the file has") {
  std::string text(as_text(test::bytes_of("examples/anvil/schema/addon_sword.xml")));
  const std::string field =
      "<Enum Name=\"MirroringType\" Type=\"BoneMirroringType\" Value=\"BONEMIRRORING_NONE\">0</Enum>";
  text.insert(text.find("<ObjectPtr Name=\"FatherBone\""), field);
  const Skeleton skeleton = parse(text);
  CHECK(skeleton.bones[0].mirroring_type == 0);
  for (const Dialect dialect : {Dialect::Standard, Dialect::Schema}) {
    const Skeleton again = reread(skeleton, {.dialect = dialect});
    CHECK(again.bones[0].mirroring_type == 0);
    CHECK(diff(skeleton, again).empty());
  }
}

TEST_CASE("the samples come out byte for byte in the dialect they came in") {
  for (const char* name : {"generic_male", "addon_sword", "addon_quad_pistols", "addon_hair_strand", "addon_neck_setup",
                           "addon_hidden_blade", "schema/addon_sword"}) {
    const auto bytes = test::bytes_of(std::string("examples/anvil/") + name + ".xml");
    const Skeleton skeleton = sample(name);
    CHECK_MESSAGE(written(skeleton, {.dialect = skeleton.origin.dialect}) == bytes, name);
  }
}

TEST_CASE("a rig that other hands wrote in both dialects is one rig") {
  CHECK(diff(sample("addon_sword"), sample("schema/addon_sword")).empty());
}

TEST_CASE("content decides the encoding, whatever the prolog says") {
  const Skeleton expected = parse(kPublished);
  for (const int unit : {1, 2, 4})
    for (const bool big : {false, true})
      for (const bool mark : {false, true}) {
        if (unit == 1 && (big || mark)) continue;
        CHECK(parse(recoded(kPublished, unit, big, mark)) == expected);
      }
  CHECK(parse("\xEF\xBB\xBF" + std::string(kPublished)) == expected);
  const Skeleton latin =
      parse("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><Skeleton ID=\"1\" Who=\"J\xFCrgen\" />");
  CHECK(latin.kept.attributes.at(0).value == "J\xC3\xBCrgen");
}

TEST_CASE("characters beyond ASCII are read and written wherever they stand in a run of it") {
  // Two, three and four bytes of UTF-8, the last of them two units of UTF-16, and characters that XML escapes.
  const std::string strange = "\xC3\xBC\xE2\x82\xAC\xF0\x9F\xA6\xB4<&>\"";
  const std::u16string units = u"\u00FC\u20AC\U0001F9B4";
  for (std::size_t before = 0; before < 140; ++before) {
    CAPTURE(before);
    Skeleton skeleton = parse(kPublished);
    const std::string name = std::string(before, 'x') + strange + std::string(before / 3, 'y');
    skeleton.kept.attributes.push_back({Kept::kObject, -1, "Who", name});
    for (const Dialect dialect : {Dialect::Standard, Dialect::Schema}) {
      const auto bytes = written(skeleton, {.dialect = dialect});
      const auto again = read_xml(bytes);
      REQUIRE(again.has_value());
      CHECK(again->kept.attributes.at(0).value == name);
      // Both byte orders hold the same.
      std::string text(as_text(bytes));
      if (dialect == Dialect::Schema) continue;
      CHECK(text.find(std::string_view(reinterpret_cast<const char*>(units.data()), 2 * units.size())) !=
            std::string::npos);
      CHECK(text.find(std::string_view("\r\0\n\0", 4)) != std::string::npos);
      for (std::size_t i = 0; i + 1 < text.size(); i += 2) std::swap(text[i], text[i + 1]);
      CHECK(parse(text) == *again);
    }
  }
}

TEST_CASE("half a pair of UTF-16 is refused with its offset, wherever it stands") {
  for (std::size_t before = 0; before < 40; ++before) {
    std::string text = recoded("<Skeleton ID=\"1\" Who=\"" + std::string(before, 'x'), 2, false, true);
    const std::size_t at = text.size();
    text += std::string_view("\x34\xD8", 2);
    text += recoded("\" />", 2, false, false);
    CHECK(read_xml(bytes_of(text)).error().offset == at);
  }
}

TEST_CASE("indices and counts are computed for Schema, in the width of the game") {
  Skeleton skeleton = sample("generic_male");
  const auto narrow = written(skeleton, {.dialect = Dialect::Schema, .game = Game::Rogue});
  const auto wide = written(skeleton, {.dialect = Dialect::Schema, .game = Game::Unity});
  CHECK(as_text(narrow).find("<Unsigned8 Name=\"ChildBoneCount\">83</Unsigned8>") != std::string::npos);
  CHECK(as_text(wide).find("<Unsigned16 Name=\"ChildBoneCount\">83</Unsigned16>") != std::string::npos);
}

TEST_CASE("every prefix of a file is an error with a place, never a crash") {
  for (std::size_t size = 0; size < kPublished.size(); size += 7) {
    const auto skeleton = read_xml(bytes_of(kPublished.substr(0, size)));
    REQUIRE(!skeleton.has_value());
    CHECK(skeleton.error().offset != kNoOffset);
  }
}

TEST_CASE("a wrong value is refused with line, offset and path") {
  std::string text(kPublished);
  text.replace(text.find("2.5"), 3, "two");
  const auto skeleton = read_xml(bytes_of(text));
  REQUIRE(!skeleton.has_value());
  CHECK(skeleton.error().message.find("line 25: 'two' is not a number") != std::string::npos);
  CHECK(skeleton.error().path.find("BallJointBoneModifier[ID 22223737855]/Mass") != std::string::npos);
  CHECK(text.substr(skeleton.error().offset, 5) == "Value");
  const auto utf16 = recoded(text, 2, false, true);
  CHECK(read_xml(bytes_of(utf16)).error().offset == 2 + 2 * skeleton.error().offset);
}

TEST_CASE("four numbers are read in every form that one number has, and are four") {
  const auto read = [](std::string_view text) {
    const std::string xml = "<Object Type=\"Skeleton\"><Vector4 Name=\"RootBoneDefaultLocalPosition\">" +
                            std::string(text) + "</Vector4></Object>";
    return read_xml(bytes_of(xml));
  };
  for (const char* same : {"( 1, -0.5, 2e3, 4 )", "(1,-.5,2000,4)", "1,-0.5,2e3,4", "( +1, -0.5, 0x44fa0000, 4.0 )",
                           " (\t1\n,\r\n-0.5 , 2000 ,4)\n", "<Y>-0.5</Y><X>1</X><W> 4 </W><Z>2e3</Z><X>7</X>"}) {
    CAPTURE(same);
    const auto skeleton = read(same);
    REQUIRE(skeleton.has_value());
    CHECK(skeleton->root_default_position == Vec4(1, -0.5f, 2000, 4));
  }
  CHECK(read("( 0x7f800000, -1e-99, 0, 1 )")->root_default_position ==
        Vec4(std::numeric_limits<float>::infinity(), 0, 0, 1));
  const auto refused = [&](std::string_view text, std::string_view why) {
    CAPTURE(text);
    const auto skeleton = read(text);
    REQUIRE(!skeleton.has_value());
    CHECK(skeleton.error().message.find(why) != std::string::npos);
  };
  refused("( 1, 2, 3 )", "there are not four numbers in '( 1, 2, 3 )'");
  refused("( 1, 2, 3, 4, 5 )", "there are not four numbers");
  refused("( 1, 2, 3, 4, )", "there are not four numbers");
  refused("( 1, 2 2, 3, 4 )", "'2 2' is not a number");
  refused("( 1, , 3, 4 )", "'' is not a number");
  refused("( 1e99, 2, 3, 4 )", "'1e99' is not a number");
  refused("( 1, 2, 3, 4 ) 5", "'( 1' is not a number");
  refused(" ", "four numbers are missing");
  refused("<X>1</X><Y>two</Y>", "'two' is not a number");
}

TEST_CASE("every object knows its line, in any encoding and with any ends of lines") {
  const Skeleton published = parse(kPublished);
  const std::string text(kPublished);
  std::string carriage;
  for (const char c : text) carriage += c == '\n' ? "\r\n" : std::string(1, c);
  for (const std::string& same : {text, carriage, recoded(carriage, 2, true, true), recoded(text, 4, false, false)}) {
    const Skeleton skeleton = parse(same);
    REQUIRE(skeleton.bones.size() == published.bones.size());
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
      const Bone& bone = skeleton.bones[i];
      const std::string tag = "<Bone ID=\"" + std::to_string(bone.id) + "\"";
      CHECK(bone.kept.line.number == 1 + std::ranges::count(text.substr(0, text.find(tag)), '\n'));
      for (const Modifier& modifier : bone.modifiers) CHECK(modifier.kept.line.number > bone.kept.line.number);
    }
  }
}

TEST_CASE("text is kept where it stands between elements that are not understood") {
  for (const char* odd : {"<Odd>a<b/>c</Odd>", "<Vector4 Name=\"V\">t<X>1</X><Y>2</Y><Z>3</Z><W>4</W></Vector4>",
                          "<Odd><b> </b><![CDATA[d]]>e<!--f-->g</Odd>", "<Quat Name=\"Q\">1</Quat>"}) {
    CAPTURE(odd);
    const Skeleton skeleton = parse(std::string("<Skeleton ID=\"1\">") + odd + "</Skeleton>");
    REQUIRE(skeleton.kept.elements.size() == 1);
    CHECK(skeleton.kept.elements[0].xml == odd);
    CHECK(skeleton.kept.elements[0].dialect == Dialect::Standard);
    for (const Dialect dialect : {Dialect::Standard, Dialect::Schema})
      CHECK(reread(skeleton, {.dialect = dialect}) == skeleton);
  }
  // Four numbers of Schema are kept as those of Standard.
  const Skeleton schema =
      parse("<Object ID=\"1\" Type=\"Skeleton\"><Vector4 Name=\"V\">( 1, 2, 3, 4 )</Vector4></Object>");
  CHECK(schema.kept.elements.at(0).xml == "<Vector4 Name=\"V\"><X>1</X><Y>2</Y><Z>3</Z><W>4</W></Vector4>");
}

TEST_CASE("files of other formats are refused by name") {
  CHECK(read_xml(bytes_of("<hkpackfile/>")).error().code == ErrorCode::BadMagic);
  CHECK(read_xml({}).error().code == ErrorCode::Truncated);
  CHECK(!read_xml(bytes_of("<Skeleton ID=\"-5\"/>")).has_value());
  CHECK(!read_xml(bytes_of("\xFF\xFE<")).has_value());
}

TEST_CASE("numbers that are not finite are read as they are, and never written") {
  Skeleton skeleton = sample("addon_sword");
  skeleton.bones[1].local_position.x = std::numeric_limits<float>::quiet_NaN();
  const auto bytes = write_xml(skeleton);
  REQUIRE(!bytes.has_value());
  CHECK(bytes.error().message.find("E_NAN") != std::string::npos);
  CHECK(bytes.error().path.find("P_Sword_Tag") != std::string::npos);
}

TEST_CASE("a word that a file has for a number is kept as long as the number stays") {
  std::string text(kPublished);
  const std::string_view word = "BONEMIRRORING_PELVIS_TO_BIPED\">4";
  text.replace(text.find(word), word.size(), "BONEMIRRORING_PELVIS_TO_PELVIS\">3");
  Skeleton skeleton = parse(text);
  CHECK(reread(skeleton, {.dialect = Dialect::Schema}) == skeleton);
  auto bytes = written(skeleton, {.dialect = Dialect::Schema});
  CHECK(as_text(bytes).find("Value=\"BONEMIRRORING_PELVIS_TO_PELVIS\">3") != std::string::npos);
  skeleton.bones[1].mirroring_type = 6;
  bytes = written(skeleton, {.dialect = Dialect::Schema});
  CHECK(as_text(bytes).find("Value=\"BONEMIRRORING_WEAPONREF\">6") != std::string::npos);
}

TEST_CASE("an attribute on the owner that only Schema states survives the way through Standard") {
  const auto published = read_xml(as_bytes(kPublished));
  REQUIRE(published);
  const auto schema = write_xml(*published, {.dialect = Dialect::Schema});
  REQUIRE(schema);
  std::string text(as_text(*schema));
  const std::string_view link = "<Link Name=\"Owner\"";
  REQUIRE(text.find(link) != std::string::npos);
  text.insert(text.find(link) + link.size(), " Unheard=\"1\"");
  const auto skeleton = read_xml(as_bytes(text));
  REQUIRE(skeleton);
  CHECK_FALSE(diff(*published, *skeleton).empty());
  const auto standard = write_xml(*skeleton, {.dialect = Dialect::Standard});
  REQUIRE(standard);
  const auto back = read_xml(*standard);
  REQUIRE(back);
  CHECK(diff(*skeleton, *back).empty());
}

TEST_CASE("elements nested without end are kept without cost that grows with the square") {
  std::string text = "<Skeleton ID=\"1\">";
  for (int i = 0; i < 100000; ++i) text += "<a>";
  for (int i = 0; i < 100000; ++i) text += "</a>";
  const Skeleton skeleton = parse(text + "</Skeleton>");
  const auto bytes = written(skeleton, {.dialect = Dialect::Schema});
  CHECK(bytes.size() < 1'000'000);
  CHECK(reread(skeleton, {.dialect = Dialect::Schema}) == skeleton);
}

TEST_CASE("a chain of bones as deep as the file is long does not end the stack") {
  Skeleton skeleton = make_skeleton();
  for (std::uint64_t i = 0; i < 20000; ++i) {
    Bone link = make_bone();
    link.id = i + 1;
    link.name = {static_cast<std::uint32_t>(i + 7), {}};
    if (i > 0) link.parent = {i};
    link.mirror = {link.id};
    skeleton.bones.push_back(std::move(link));
  }
  skeleton.root = {1};
  const Skeleton again = reread(skeleton, {.dialect = Dialect::Schema, .game = Game::Unity});
  CHECK(again == skeleton);
  CHECK(hierarchy_of(again).depth.back() == 19999);
  CHECK_FALSE(has_errors(check(again)));
}

}  // namespace marrow::anvil
