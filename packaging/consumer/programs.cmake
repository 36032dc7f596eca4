# SPDX-License-Identifier: BSD-3-Clause
# The programs of a consumer, from its object library `checks`: one with the code inside, one with it in a shared
# library. An object library, as each file that includes torch/torch.h costs some 40 s and 1.5 GB to compile.
target_link_libraries(checks PRIVATE "${TORCH_LIBRARIES}")
add_executable(torch_consumer "${CMAKE_CURRENT_LIST_DIR}/main.cpp" $<TARGET_OBJECTS:checks>)
target_link_libraries(torch_consumer PRIVATE "${TORCH_LIBRARIES}")

# libtorch inside somebody's shared library, and a program that knows nothing of it.
add_library(torch_consumer_library SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:checks>)
target_link_libraries(torch_consumer_library PRIVATE "${TORCH_LIBRARIES}")
add_executable(torch_consumer_by_library EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/main.cpp")
target_link_libraries(torch_consumer_by_library PRIVATE torch_consumer_library)

# A program that loads two such libraries, and brings nothing of what they need.
add_executable(plugin_host EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/plugin_host.cpp")
set_target_properties(plugin_host PROPERTIES LINK_OPTIONS "")
target_link_libraries(plugin_host PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(torch_consumer_by_library plugin_host)

# The same file twice, once for each C++ ABI: the one that the package was built for must link, the other one must not.
# The latter is left out of `all`; whoever builds it expects an undefined reference.
set(CONSUMER_ABI 1 CACHE STRING "The value of _GLIBCXX_USE_CXX11_ABI that the package was built with")
add_executable(right_abi "${CMAKE_CURRENT_LIST_DIR}/abi.cpp")
add_executable(wrong_abi EXCLUDE_FROM_ALL "${CMAKE_CURRENT_LIST_DIR}/abi.cpp")
target_compile_definitions(right_abi PRIVATE CONSUMER_COMPILE_ABI=${CONSUMER_ABI})
target_compile_definitions(wrong_abi PRIVATE CONSUMER_COMPILE_ABI=!${CONSUMER_ABI})
target_link_libraries(right_abi "${TORCH_LIBRARIES}")
target_link_libraries(wrong_abi "${TORCH_LIBRARIES}")
set_target_properties(checks right_abi wrong_abi PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
set_target_properties(checks PROPERTIES POSITION_INDEPENDENT_CODE ON)
