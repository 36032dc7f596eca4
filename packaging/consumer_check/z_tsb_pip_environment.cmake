# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_pip_environment(): sets in this script's environment what a check's pip is to have of the caller, although its
# HOME is another one: besides the settings (PIP_...) the configuration file, which may name the only index there is,
# and the cache, since NVIDIA's wheels are 2.5 GB.
# https://pip.pypa.io/en/stable/topics/configuration/#location
function(z_tsb_pip_environment)
  # Each check has a virtual environment: what the caller's own installations are to be like does not count there.
  set(ENV{PIP_USER} 0)
  set(ENV{PIP_CONSTRAINT} /dev/null)
  foreach(name IN ITEMS PIP_TARGET PIP_PREFIX PIP_ROOT)
    unset(ENV{${name}})
  endforeach()
  set(ENV{PIP_DISABLE_PIP_VERSION_CHECK} 1)
  set(home "$ENV{HOME}")
  set(config "$ENV{XDG_CONFIG_HOME}")
  if(config STREQUAL "")
    set(config "${home}/.config")
  endif()
  set(cache "$ENV{XDG_CACHE_HOME}")
  if(cache STREQUAL "")
    set(cache "${home}/.cache")
  endif()
  if("$ENV{PIP_CONFIG_FILE}" STREQUAL "")
    foreach(file IN ITEMS "${config}/pip/pip.conf" "${home}/.pip/pip.conf")
      if(EXISTS "${file}")
        set(ENV{PIP_CONFIG_FILE} "${file}")
        break()
      endif()
    endforeach()
  endif()
  if("$ENV{PIP_CACHE_DIR}" STREQUAL "" AND NOT cache STREQUAL "/.cache")
    set(ENV{PIP_CACHE_DIR} "${cache}/pip")
  endif()
endfunction()
