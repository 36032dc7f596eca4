# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_mend_modules(<site-packages> <Python>): corrects what keeps PyTorch's own console scripts from starting, where it does.
#
# A module of torchfrtrace walks through its own variables. On the way it calls a function that Python 3.13 warns of, and for
# the first warning Python adds a variable to the module: "dictionary changed size during iteration". Later releases of
# PyTorch list the classes instead:
# https://github.com/pytorch/pytorch/blob/main/torch/distributed/flight_recorder/components/types.py
function(z_tsb_mend_modules site_packages python)
  set(types "${site_packages}/torch/distributed/flight_recorder/components/types.py")
  if(python VERSION_GREATER_EQUAL 3.13 AND EXISTS "${types}")
    file(READ "${types}" text)
    string(REPLACE "for t in globals().values()" "for t in list(globals().values())" text "${text}")
    file(WRITE "${types}" "${text}")
  endif()
endfunction()
