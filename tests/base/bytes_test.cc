// SPDX-License-Identifier: MIT
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <loom/base/bytes.h>
#include <loom/base/random.h>

namespace loom {
namespace {

/// One thing in a file, and what it should be read as.
struct Field {
  enum Kind { kByte, kWord, kNumber, kText, kWords, kKinds } kind = kByte;
  std::uint64_t whole = 0;
  double number = 0;
  std::string text;
  std::vector<std::uint32_t> words;

  friend bool operator==(const Field&, const Field&) = default;
};

Field random_field(Random& random) {
  Field field;
  field.kind = static_cast<Field::Kind>(random.index(Field::kKinds));
  switch (field.kind) {
    case Field::kByte:
      field.whole = random.index(256);
      break;
    case Field::kWord:
      field.whole = random.bits();
      break;
    case Field::kNumber:
      field.number = random.normal();
      break;
    case Field::kText:
      for (std::size_t i = random.index(9); i > 0; --i) field.text.push_back(static_cast<char>(random.index(256)));
      break;
    default:
      for (std::size_t i = random.index(5); i > 0; --i) {
        field.words.push_back(static_cast<std::uint32_t>(random.bits()));
      }
  }
  return field;
}

void write(ByteWriter& out, const Field& field) {
  switch (field.kind) {
    case Field::kByte:
      return out.value(static_cast<std::uint8_t>(field.whole));
    case Field::kWord:
      return out.value(field.whole);
    case Field::kNumber:
      return out.value(field.number);
    case Field::kText:
      return out.string(field.text);
    default:
      return out.array(std::span<const std::uint32_t>(field.words));
  }
}

Field read(ByteReader& in, Field::Kind kind) {
  Field field;
  field.kind = kind;
  switch (kind) {
    case Field::kByte:
      field.whole = in.value<std::uint8_t>();
      break;
    case Field::kWord:
      field.whole = in.value<std::uint64_t>();
      break;
    case Field::kNumber:
      field.number = in.value<double>();
      break;
    case Field::kText:
      field.text = in.string();
      break;
    default:
      field.words = in.array<std::uint32_t>();
  }
  return field;
}

/// Reads byte by byte, as the format says: little-endian, arrays led by their length in eight bytes.
class SlowReader {
 public:
  explicit SlowReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}

  std::optional<Field> read(Field::Kind kind) {
    Field field;
    field.kind = kind;
    const auto whole = [&](std::size_t size) -> std::optional<std::uint64_t> {
      std::uint64_t value = 0;
      for (std::size_t i = 0; i < size; ++i, ++at_) {
        if (at_ >= bytes_.size()) return std::nullopt;
        value += static_cast<std::uint64_t>(bytes_[at_]) << (8 * i);
      }
      return value;
    };
    const auto first = whole(kind == Field::kByte ? 1 : 8);
    if (!first) return std::nullopt;
    if (kind == Field::kByte || kind == Field::kWord) field.whole = *first;
    if (kind == Field::kNumber) std::memcpy(&field.number, &*first, sizeof(double));
    for (std::uint64_t i = 0; kind >= Field::kText && i < *first; ++i) {
      const auto value = whole(kind == Field::kText ? 1 : 4);
      if (!value) return std::nullopt;
      if (kind == Field::kText) field.text.push_back(static_cast<char>(*value));
      if (kind == Field::kWords) field.words.push_back(static_cast<std::uint32_t>(*value));
    }
    return field;
  }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }

 private:
  const std::vector<std::byte>& bytes_;
  std::size_t at_ = 0;
};

TEST(ByteReader, ReadsWhatASlowReaderReadsWhereverTheBytesEnd) {
  Random random(1);
  for (int file = 0; file < 40; ++file) {
    std::vector<Field> fields;
    ByteWriter writer;
    for (std::size_t i = 1 + random.index(8); i > 0; --i) {
      fields.push_back(random_field(random));
      write(writer, fields.back());
    }
    const std::vector<std::byte> all = writer.take();
    for (std::size_t size = 0; size <= all.size(); ++size) {
      // On the heap at its exact size, so that a sanitizer sees the first byte too many.
      const std::vector<std::byte> bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
      ByteReader reader(bytes);
      SlowReader slow(bytes);
      bool sound = true;
      for (const Field& field : fields) {
        const Field got = read(reader, field.kind);
        const auto expected = sound ? slow.read(field.kind) : std::nullopt;
        sound = expected.has_value();
        ASSERT_EQ(reader.ok(), sound);
        if (!sound) continue;
        EXPECT_EQ(got, *expected);
        EXPECT_EQ(got, field);
      }
      EXPECT_EQ(reader.finished(), sound && slow.at_end());
      EXPECT_EQ(reader.finished(), size == all.size());
    }
  }
}

TEST(ByteReader, AgreesWithASlowReaderOnBytesNobodyWrote) {
  Random random(2);
  for (int file = 0; file < 3000; ++file) {
    std::vector<std::byte> bytes(random.index(60));
    // Few bits set: lengths that are now and then there.
    for (std::byte& b : bytes) b = static_cast<std::byte>(random.index(6) == 0 ? random.index(8) : 0);
    ByteReader reader(bytes);
    SlowReader slow(bytes);
    for (bool sound = true; sound;) {
      const auto kind = static_cast<Field::Kind>(random.index(Field::kKinds));
      const Field got = read(reader, kind);
      const auto expected = slow.read(kind);
      sound = expected.has_value();
      ASSERT_EQ(reader.ok(), sound);
      if (sound) {
        EXPECT_EQ(got, *expected);
      }
    }
    EXPECT_EQ(reader.value<std::uint32_t>(), 0u) << "after a failure all is nothing";
    EXPECT_TRUE(reader.array<std::uint64_t>().empty());
    EXPECT_FALSE(reader.ok());
  }
}

TEST(ByteReader, TakesNoMemoryForAnAnnouncedLength) {
  ByteWriter writer;
  writer.value<std::uint64_t>(~std::uint64_t{0} / 4 + 1);  // times four it would be nothing
  writer.value<std::uint64_t>(1);
  const std::vector<std::byte> bytes = writer.take();
  ByteReader reader(bytes);
  EXPECT_TRUE(reader.array<std::uint32_t>().empty());
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace loom
