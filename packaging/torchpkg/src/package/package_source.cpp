// SPDX-License-Identifier: BSD-3-Clause
#include "package/package_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <system_error>

#include "common/error.h"
#include "common/parallel.h"
#include "package/conda_source.h"
#include "zip/reader.h"

namespace torchpkg {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kRoot = "torch/";
constexpr std::string_view kManifest = "manifest.json";

bool has_dist_info(const fs::path& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".dist-info") return true;
  }
  return false;
}

/// Calls `read` with the index of each file that is not a symlink; see read_files().
std::vector<std::string> read_in_parallel(const std::vector<PackageFile>& files, unsigned jobs,
                                          const std::function<void(std::size_t)>& read) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].symlink) order.push_back(i);
  }
  // The biggest first, so that no thread is left with it alone at the end.
  std::stable_sort(order.begin(), order.end(), [&files](std::size_t a, std::size_t b) {
    return files[a].size > files[b].size;
  });
  std::mutex mutex;
  std::vector<std::string> problems;
  for_each_parallel(order.size(), jobs, [&](std::size_t i) {
    try {
      read(order[i]);
    } catch (const Error& error) {
      if (error.code() != ExitCode::kBadInput) throw;
      const std::lock_guard lock(mutex);
      problems.emplace_back(error.what());
    }
  });
  return problems;
}

class FolderSource : public PackageSource {
 public:
  explicit FolderSource(fs::path folder)
      : PackageSource(kind_of(folder), false), folder_(std::move(folder)) {
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
      if (kind_ == Kind::kWheel) file.path = relative_to_torch(file.path);
      files_.push_back(std::move(file));
    }
    if (error) throw system_error(folder_.string() + " cannot be listed", error.value());
    finish_list();
  }

  [[nodiscard]] std::optional<std::string> manifest() const override {
    const auto index = find(roots_[0] + std::string(kManifest));
    if (!index) return std::nullopt;
    return read_text(place_of(*index));
  }

  [[nodiscard]] std::vector<std::string> read_files(unsigned jobs,
                                                    const Visit& visit) const override {
    return read_in_parallel(files_, jobs, [&](std::size_t index) {
      visit(index, MappedFile(place_of(index)).bytes());
    });
  }

 private:
  static Kind kind_of(const fs::path& folder) {
    if (fs::exists(folder / "info/index.json")) return Kind::kConda;
    return fs::is_directory(folder / kRoot) && has_dist_info(folder) ? Kind::kWheel
                                                                     : Kind::kLibtorch;
  }

  [[nodiscard]] fs::path place_of(std::size_t index) const {
    const std::string& path = files_[index].path;
    return folder_ / (kind_ == Kind::kWheel ? name_in_wheel(path) : path);
  }

  fs::path folder_;
};

class ZipSource : public PackageSource {
 public:
  explicit ZipSource(const fs::path& path)
      : PackageSource(path.extension() == ".whl" ? Kind::kWheel : Kind::kLibtorch, true),
        archive_(path) {
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

  [[nodiscard]] std::optional<std::string> manifest() const override {
    const auto index = find(std::string(kManifest));
    if (!index) return std::nullopt;
    return std::string(as_text(content(*index)));
  }

  [[nodiscard]] std::vector<std::string> read_files(unsigned jobs,
                                                    const Visit& visit) const override {
    return read_in_parallel(files_, jobs, [&](std::size_t index) { visit(index, content(index)); });
  }

 private:
  [[nodiscard]] std::vector<std::uint8_t> content(std::size_t index) const {
    return reader_->content(reader_->entries()[entries_.at(files_[index].path)]);
  }

  /// The path of an entry in the package; nothing when it lies outside the top folder.
  std::optional<std::string> path_of(const zip::Entry& entry, std::string& top) {
    if (kind_ == Kind::kWheel) return relative_to_torch(entry.name);
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
    finish_list();
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
  std::optional<zip::Reader> reader_;
  std::map<std::string, std::size_t> entries_;
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

void PackageSource::finish_list() {
  std::sort(files_.begin(), files_.end(),
            [](const PackageFile& a, const PackageFile& b) { return a.path < b.path; });
  if (kind_ != Kind::kConda) return;
  // libtorch has in share/ what would be in another package's way; pytorch is a wheel's tree.
  roots_.insert(roots_.begin(), "share/libtorch/");
  const std::string in_site_packages = "/site-packages/torch/" + std::string(kManifest);
  for (const PackageFile& file : files_) {
    if (!file.path.ends_with(in_site_packages)) continue;
    roots_[0] = file.path.substr(0, file.path.size() - kManifest.size());
  }
}

std::optional<std::size_t> PackageSource::find(const std::string& path) const {
  const auto found = std::lower_bound(
      files_.begin(), files_.end(), path,
      [](const PackageFile& file, const std::string& at) { return file.path < at; });
  if (found == files_.end() || found->path != path) return std::nullopt;
  return static_cast<std::size_t>(found - files_.begin());
}

std::unique_ptr<PackageSource> open_package(const fs::path& path) {
  if (fs::is_directory(path)) return std::make_unique<FolderSource>(path);
  if (path.extension() == ".conda") return std::make_unique<CondaSource>(path);
  return std::make_unique<ZipSource>(path);
}

}  // namespace torchpkg
