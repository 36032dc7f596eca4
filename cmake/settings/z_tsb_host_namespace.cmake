# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_host_namespace(<out-var> <compiler cache>): ON when packages are built in the machine's own network namespace,
# not in an empty one: TSB_NETWORK_NAMESPACE=OFF asks for it, or a farm or the compiler cache needs the network; a line
# says so.
# Decides no result.
#
# Settings of ccache: https://ccache.dev/manual/latest.html#_configuration_options (remote_storage was secondary_storage
# before 4.7). sccache: https://github.com/mozilla/sccache/blob/main/docs/Configuration.md
function(z_tsb_host_namespace out launcher)
  set(${out} "" PARENT_SCOPE)
  if(TSB_NETWORK_NAMESPACE STREQUAL "OFF")
    set(${out} ON PARENT_SCOPE)
    return()
  endif()
  set(why "")
  get_filename_component(name "${launcher}" NAME)
  if(TSB_FARM_PROCESSORS)
    set(name "the compile farm")
    set(why TSB_FARM)
  elseif(name STREQUAL "ccache")
    foreach(key IN ITEMS remote_storage secondary_storage prefix_command)
      execute_process(COMMAND "${launcher}" --get-config ${key} OUTPUT_VARIABLE value ERROR_QUIET)
      string(STRIP "${value}" value)
      if(value MATCHES "(^|[ /])(https?|rediss?)://|(^|/)(distcc|icecc)( |$)")
        set(why "its ${key}")
        break()
      endif()
    endforeach()
  elseif(name STREQUAL "sccache")
    set(remote "AZURE|BUCKET|COS|DIST|ENDPOINT|GCS|GHA|MEMCACHED|OSS|REDIS|S3|WEBDAV")
    execute_process(COMMAND env OUTPUT_VARIABLE settings)
    if(settings MATCHES "(^|\n)(SCCACHE_(${remote})[A-Z0-9_]*)=")
      set(why "${CMAKE_MATCH_2}")
    endif()
    set(file "$ENV{SCCACHE_CONF}")
    if(file STREQUAL "")
      set(file "$ENV{XDG_CONFIG_HOME}")
      if(file STREQUAL "")
        set(file "$ENV{HOME}/.config")
      endif()
      string(APPEND file "/sccache/config")
    endif()
    if(EXISTS "${file}")
      string(TOLOWER "${remote}" remote)
      file(STRINGS "${file}" found REGEX "^ *\\[(dist|cache\\.(${remote}))")
      if(found)
        set(why "${file}")
      endif()
    endif()
  endif()
  if(NOT why STREQUAL "")
    # Not its value, which may hold a password.
    message(
      NOTICE
      "${name} needs the network (${why}), so the packages' commands keep it; a proxy that refuses downloads is their only guard"
    )
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()
