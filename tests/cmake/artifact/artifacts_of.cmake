# SPDX-License-Identifier: BSD-3-Clause
# artifacts_of(<preset> <backend> <artifacts>): sets values, what is made of PyTorch. With ARTIFACTS in the preset
# cpu-all.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/release.cmake)
include(${TSB_SOURCE_DIR}/cmake/artifact/tsb_choose_artifacts.cmake)
set(TSB_PYTORCH_VERSION ${pytorch})
set(TSB_SOURCE_VERSION ${pytorch})

function(artifacts_of TSB_PRESET TSB_BACKEND TSB_ARTIFACTS)
  tsb_load_model("--backend=${TSB_BACKEND}" --release=${TSB_PYTORCH_VERSION} --processor=x86_64)
  tsb_choose_artifacts(values)
  if(values_ERROR)
    message(FATAL_ERROR "${values_ERROR}")
  endif()
  return(PROPAGATE values values_ROWS)
endfunction()

if(ARTIFACTS)
  artifacts_of(cpu-all ${BACKEND} ${ARTIFACTS})
endif()
