// SPDX-License-Identifier: BSD-3-Clause
#include "package/package_source.h"

#include <fmt/core.h>

#include <algorithm>
#include <mutex>
#include <system_error>

#include "common/error.h"
#include "common/parallel.h"
#include "common/unpack_limits.h"
#include "package/conda_source.h"
#include "zip/tree.h"

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
    finish_list(list_tree(folder_));
  }

  [[nodiscard]] std::optional<std::string> manifest() const override {
    const auto index = find_manifest();
    if (!index) return std::nullopt;
    return read_text(place_of(*index));
  }

 private:
  [[nodiscard]] std::vector<std::string> read_all(unsigned jobs,
                                                  const Visit& visit) const override {
    return read_in_parallel(files_, jobs, [&](std::size_t index) {
      visit(index, MappedFile(place_of(index)).bytes());
    });
  }

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
      problems_ = reader_->layout_problems();
      finish_list(zip::read_tree(*reader_));
      if (files_.empty()) problems_.emplace_back("the archive is empty");
    } catch (const TooLarge&) {
      throw;
    } catch (const Error& error) {
      problems_.emplace_back(error.what());
    }
  }

  [[nodiscard]] std::optional<std::string> manifest() const override {
    const auto index = find_manifest();
    if (!index) return std::nullopt;
    return std::string(as_text(content(*index)));
  }

 private:
  [[nodiscard]] std::vector<std::string> read_all(unsigned jobs,
                                                  const Visit& visit) const override {
    return read_in_parallel(files_, jobs, [&](std::size_t index) { visit(index, content(index)); });
  }

  [[nodiscard]] std::vector<std::uint8_t> content(std::size_t index) const {
    return reader_->content(reader_->entries()[files_[index].entry]);
  }

  MappedFile archive_;
  std::optional<zip::Reader> reader_;
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

void PackageSource::finish_list(const std::vector<TreeEntry>& tree) {
  const bool one_top = is_archive_ && kind_ == Kind::kLibtorch;
  const std::vector<std::string> wrong =
      tree_problems(tree, {.one_top = one_top, .links_may_dangle = kind_ == Kind::kConda});
  problems_.insert(problems_.end(), wrong.begin(), wrong.end());
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const TreeEntry& entry = tree[i];
    tops_.insert(entry.name.substr(0, entry.name.find('/')));
    const bool symlink = entry.kind == TreeEntry::Kind::kSymlink;
    if (!symlink && entry.kind != TreeEntry::Kind::kFile) continue;
    std::string path = entry.name;
    if (one_top) path.erase(0, path.find('/') + 1);
    if (kind_ == Kind::kWheel) path = relative_to_torch(path);
    files_.push_back({std::move(path), symlink, entry.target, entry.size, i});
  }
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

std::optional<std::size_t> PackageSource::find_manifest() const {
  const std::optional<std::size_t> index = find(roots_[0] + std::string(kManifest));
  if (index) check_text_size(files_[*index].path, files_[*index].size);
  return index;
}

std::unique_ptr<PackageSource> open_package(const fs::path& path) try {
  if (fs::is_directory(path)) return std::make_unique<FolderSource>(path);
  if (path.extension() == ".conda") return std::make_unique<CondaSource>(path);
  return std::make_unique<ZipSource>(path);
} catch (const TooLarge& error) {
  throw TooLarge(path.string() + ": " + error.what());
}

}  // namespace torchpkg
