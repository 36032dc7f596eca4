# SPDX-License-Identifier: BSD-3-Clause
# Whether what is true of the processor that is built for is known (the record `target`): this machine's, or the one
# that the backend names, whose programs qemu runs here.
include(${CMAKE_CURRENT_LIST_DIR}/../model/tsb_load_model.cmake)

# z_tsb_doctor_emulator(<processor>): exports TSB_EMULATOR, this machine's, if it is new enough. 7.2 crashes when oneDNN
# starts (signal 11); 10.0 is the oldest that was seen to work.
function(z_tsb_doctor_emulator processor)
  set(name "qemu-${processor}")
  find_program(program "${name}" NO_CACHE)
  set(found "not found")
  if(program)
    execute_process(COMMAND "${program}" --version OUTPUT_VARIABLE output ERROR_QUIET)
    string(REGEX MATCH "[0-9]+\\.[0-9.]*[0-9]" version "${output}")
    if(version VERSION_GREATER_EQUAL 10.0)
      z_tsb_doctor_good("${name} ${version}")
      z_tsb_doctor_export(TSB_EMULATOR "${program}")
      return()
    endif()
    set(found "${program} is ${version}")
  endif()
  if(backend_consumer_emulator)
    z_tsb_doctor_good("${name}: ${found}, 10.0 or newer is needed: the pinned one is fetched")
  else()
    z_tsb_doctor_problem("${name}: ${found}, 10.0 or newer is needed" "install qemu-user of a newer distribution")
  endif()
endfunction()

function(tsb_doctor_check_target)
  if(target_only_prebuilt AND NOT backend_target)
    z_tsb_doctor_problem(
      "processor: PyTorch is not compiled for ${target_title} here yet"
      "take a preset out of the official wheel: official-..."
    )
  elseif(target_processor)
    z_tsb_doctor_good("processor: ${target_title}")
    if(target_cross)
      z_tsb_doctor_emulator(${target_processor})
    endif()
  else()
    set(whose "the backend's")
    set(processor "${backend_target}")
    if(NOT processor)
      set(whose "this machine's")
      z_tsb_processor(processor)
    endif()
    list(JOIN model_targets ", " known)
    z_tsb_doctor_problem(
      "processor: ${whose} is '${processor}', and only these are known: ${known}"
      "build on one of those, or describe this one in targets/${processor}.json"
    )
  endif()
endfunction()
