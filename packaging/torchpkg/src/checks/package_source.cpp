// SPDX-License-Identifier: BSD-3-Clause
#include "checks/package_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "common/error.h"
#include "zip/reader.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

void sort_by_path(std::vector<PackageFile>& files) {
  std::sort(files.begin(), files.end(),
            [](const PackageFile& a, const PackageFile& b) { return a.path < b.path; });
}

constexpr std::string_view kRoot = "torch/";

bool has_dist_info(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".dist-info") return true;
  }
  return false;
}

class FolderSource : public PackageSource {
 public:
  explicit FolderSource(fs::path folder)
      : folder_(std::move(folder)),
        wheel_(fs::is_directory(folder_ / kRoot) && has_dist_info(folder_)) {
    std::error_code error;
    fs::recursive_directory_iterator walk(folder_, error);
    for (const auto end = fs::end(walk); !error && walk != end; walk.increment(error)) {
      PackageFile file;
      file.path = walk->path().lexically_relative(folder_).generic_string();
      if (walk->is_symlink()) {
        file.symlink = true;
        file.target = fs::read_symlink(walk->path()).string();
      } else if (walk->is_regular_file()) {
        file.size = walk->file_size();
      } else {
        continue;
      }
      if (wheel_) file.path = relative_to_torch(file.path);
      files_.push_back(std::move(file));
    }
    if (error) throw system_error(folder_.string() + " cannot be listed", error.value());
    sort_by_path(files_);
  }

  [[nodiscard]] const std::vector<PackageFile>& files() const override { return files_; }

  void with_content(std::size_t index, const std::function<void(Bytes)>& use) const override {
    const std::string& path = files_[index].path;
    const MappedFile file(folder_ / (wheel_ ? name_in_wheel(path) : path));
    use(file.bytes());
  }

  [[nodiscard]] bool is_wheel() const override { return wheel_; }
  [[nodiscard]] bool is_archive() const override { return false; }
  [[nodiscard]] const std::vector<std::string>& archive_problems() const override {
    return problems_;
  }

 private:
  fs::path folder_;
  bool wheel_;
  std::vector<PackageFile> files_;
  std::vector<std::string> problems_;
};

class ZipSource : public PackageSource {
 public:
  explicit ZipSource(const fs::path& path) : archive_(path), wheel_(path.extension() == ".whl") {
    if (!zip::looks_like_zip(archive_.bytes())) {
      throw Error(ExitCode::kBadInput, path.string() + " is neither a ZIP file nor a folder",
                  "give a package or the folder that it is made from");
    }
    try {
      reader_.emplace(archive_.bytes());
    } catch (const Error& error) {
      problems_.emplace_back(error.what());
      return;
    }
    problems_ = zip::name_problems(reader_->entries());
    list_files();
  }

  [[nodiscard]] const std::vector<PackageFile>& files() const override { return files_; }

  void with_content(std::size_t index, const std::function<void(Bytes)>& use) const override {
    const zip::Entry& entry = reader_->entries()[entries_.at(files_[index].path)];
    use(reader_->content(entry));
  }

  [[nodiscard]] bool is_wheel() const override { return wheel_; }
  [[nodiscard]] bool is_archive() const override { return true; }
  [[nodiscard]] const std::vector<std::string>& archive_problems() const override {
    return problems_;
  }

 private:
  /// The path of an entry in the package; nothing when it lies outside the top folder.
  std::optional<std::string> path_of(const zip::Entry& entry, std::string& top) {
    if (wheel_) return relative_to_torch(entry.name);
    const std::size_t slash = entry.name.find('/');
    if (slash == std::string::npos) {
      problems_.push_back(
          fmt::format("byte {}: {} is not in the top folder", entry.central_at, entry.name));
      return std::nullopt;
    }
    const std::string folder = entry.name.substr(0, slash);
    if (top.empty()) top = folder;
    if (folder != top) {
      problems_.push_back(fmt::format("byte {}: {} is not in the top folder {}", entry.central_at,
                                      entry.name, top));
      return std::nullopt;
    }
    return entry.name.substr(slash + 1);
  }

  void list_files() {
    std::string top;
    const std::vector<zip::Entry>& all = reader_->entries();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const zip::Entry& entry = all[i];
      const std::optional<std::string> path = path_of(entry, top);
      if (!path || entry.is_folder()) continue;
      PackageFile file{*path, entry.is_symlink(), {}, entry.size};
      if (!entries_.emplace(file.path, i).second) continue;  // reported as a duplicate
      if (file.symlink) read_target(entry, file);
      files_.push_back(std::move(file));
    }
    sort_by_path(files_);
    if (files_.empty()) problems_.emplace_back("the archive is empty");
  }

  void read_target(const zip::Entry& entry, PackageFile& file) {
    try {
      const std::vector<std::uint8_t> target = reader_->content(entry);
      file.target = as_text(target);
    } catch (const Error& error) {
      problems_.emplace_back(error.what());
    }
  }

  MappedFile archive_;
  bool wheel_;
  std::optional<zip::Reader> reader_;
  std::vector<PackageFile> files_;
  std::map<std::string, std::size_t> entries_;
  std::vector<std::string> problems_;
};

}  // namespace

std::string relative_to_torch(const std::string& name) {
  return name.starts_with(kRoot) ? name.substr(kRoot.size()) : "../" + name;
}

std::string name_in_wheel(const std::string& path) {
  return path.starts_with("../") ? path.substr(3) : std::string(kRoot) + path;
}

std::string inside_torch(const std::string& path) {
  const std::string name = fs::path(path).lexically_normal().generic_string();
  const std::string out = "../" + std::string(kRoot);
  if (name.starts_with(out)) return name.substr(out.size());
  return name + "/" == out ? "." : name;
}

std::unique_ptr<PackageSource> open_package(const fs::path& path) {
  if (fs::is_directory(path)) return std::make_unique<FolderSource>(path);
  return std::make_unique<ZipSource>(path);
}

}  // namespace torchpkg
