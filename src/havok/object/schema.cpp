// SPDX-License-Identifier: MIT
#include "havok/object/schema.h"

#include <algorithm>
#include <cstdlib>

#include "core/memory.h"
#include "core/try.h"
#include "havok/object/schema_table.h"

namespace marrow::havok {

bool is_integer(Kind kind) { return (kind >= Kind::Bool && kind <= Kind::UInt64) || kind == Kind::ULong; }

bool is_array(Kind kind) { return kind == Kind::Array || kind == Kind::SimpleArray || kind == Kind::RelArray; }

std::uint32_t float_count(Kind kind) {
  switch (kind) {
    case Kind::Real: return 1;
    case Kind::Vector4:
    case Kind::Quaternion: return 4;
    case Kind::Matrix3:
    case Kind::Rotation:
    case Kind::QsTransform: return 12;
    case Kind::Matrix4:
    case Kind::Transform: return 16;
    default: return 0;
  }
}

const Member* Class::find(std::string_view member) const {
  for (const Class* type = this; type; type = type->parent)
    for (const Member& candidate : type->members)
      if (!candidate.is_ignored && candidate.name == member) return &candidate;
  return nullptr;
}

bool Class::is_a(std::string_view other) const {
  for (const Class* type = this; type; type = type->parent)
    if (type->name == other) return true;
  return false;
}

std::vector<const Class*> Class::lineage() const {
  std::vector<const Class*> classes;
  for (const Class* type = this; type; type = type->parent) classes.push_back(type);
  std::ranges::reverse(classes);
  return classes;
}

Schema::Schema(std::string version) : version_(std::move(version)), table_(std::make_unique<Table>()) {}

Schema::~Schema() = default;

Result<std::unique_ptr<const Schema>> Schema::open(std::string_view text, std::string version,
                                                   std::string_view others) {
  std::unique_ptr<Schema> schema(new Schema(std::move(version)));
  MARROW_TRY(schema->table_->rows, index_classes(text));
  MARROW_CHECK(borrow_classes(others, schema->table_->rows));
  return schema;
}

Result<std::unique_ptr<const Schema>> Schema::parse(std::string_view text, std::string version) {
  std::unique_ptr<Schema> schema(new Schema(std::move(version)));
  Table& table = *schema->table_;
  table.own_text = text;
  MARROW_TRY(table.rows, index_classes(table.own_text));
  for (auto& [name, row] : table.rows) MARROW_CHECK(read_class(row, table.rows));
  return schema;
}

std::unique_ptr<const Schema> Schema::of_classes(std::vector<std::unique_ptr<Class>> classes, std::string version) {
  std::unique_ptr<Schema> schema(new Schema(std::move(version)));
  for (std::unique_ptr<Class>& type : classes) {
    SchemaRow& row = schema->table_->rows.try_emplace(type->name).first->second;
    row.type = std::move(type);
    row.ready = row.type.get();
  }
  return schema;
}

std::shared_ptr<const Schema> Schema::extend(const Schema& base, std::vector<std::unique_ptr<Class>> classes) {
  std::shared_ptr<Schema> schema(new Schema(base.version()));
  schema->table_->base = &base;
  for (std::unique_ptr<Class>& type : classes) {
    SchemaRow& row = schema->table_->rows.try_emplace(type->name).first->second;
    row.type = std::move(type);
    row.layouts = UINT32_MAX;
    row.ready = row.type.get();
  }
  return schema;
}

const Class* Schema::find(std::string_view name) const {
  const auto found = table_->rows.find(name);
  if (found == table_->rows.end()) return table_->base ? table_->base->find(name) : nullptr;
  SchemaRow& row = found->second;
  if (const Class* type = row.ready.load(std::memory_order_acquire)) return type;
  const ScopedLock<Mutex> lock(table_->mutex);
  const MustAllocate whole;
  if (!read_class(row, table_->rows)) std::abort();
  return row.ready;
}

const Class* Schema::find(std::string_view name, FileLayout layout) const {
  if (table_->base && !table_->rows.contains(name)) return table_->base->find(name, layout);
  const Class* type = find(name);
  const std::size_t index = layout.index();
  if (!type || index < kUsualLayoutCount) return type;
  if (layout.reuses_padding && type->has_fixed_offsets) return nullptr;
  SchemaRow& row = table_->rows.find(name)->second;
  if ((row.layouts.load(std::memory_order_acquire) >> index & 1) == 0) {
    const ScopedLock<Mutex> lock(table_->mutex);
    const MustAllocate whole;
    lay_out_row(row, table_->rows, index);
  }
  return type;
}

std::vector<std::string_view> Schema::names() const {
  std::vector<std::string_view> all;
  for (const auto& [name, row] : table_->rows) all.push_back(name);
  if (table_->base)
    for (const std::string_view name : table_->base->names())
      if (!table_->rows.contains(name)) all.push_back(name);
  std::ranges::sort(all);
  return all;
}

}  // namespace marrow::havok
