// SPDX-License-Identifier: BSD-3-Clause
//
// The names of CUDA's headers that libtorch's own headers for streams, graphs and NCCL ask for, so
// that a program can be built on a machine without a CUDA toolkit. Handles are pointers to types
// that nobody here looks into, and functions of CUDA are only named in inline functions that the
// consumer does not use: nothing of CUDA is linked. CMakeLists.txt makes a header of each name that
// CUDA has, with one line that includes this file.
#pragma once

#include <cstddef>

#define CUDART_VERSION 12000  // at least; in libtorch's headers it says that there is cuSOLVER
#define CUDA_VERSION CUDART_VERSION

enum cudaError { cudaSuccess = 0, cudaErrorNotReady = 600 };
using cudaError_t = cudaError;
enum cudaMemcpyKind { cudaMemcpyDefault = 4 };
enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal = 0 };
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2
};
enum { cudaEventDefault = 0, cudaEventDisableTiming = 2 };
enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };
struct cudaDeviceProp;
using cudaHostFn_t = void (*)(void* data);
using cudaUserObject_t = struct CUuserObject_st*;
using cudaGraphNode_t = struct CUgraphNode_st*;
using cudaStream_t = struct CUstream_st*;
using cudaEvent_t = struct CUevent_st*;
using cudaGraph_t = struct CUgraph_st*;
using cudaGraphExec_t = struct CUgraphExec_st*;
using cublasHandle_t = struct cublasContext*;
using cublasLtHandle_t = struct cublasLtContext*;
using cusparseHandle_t = struct cusparseContext*;
using cusolverDnHandle_t = struct cusolverDnContext*;
enum cublasStatus_t : int;
enum cusparseStatus_t : int;
enum cusolverStatus_t : int;

extern "C" {
cudaError_t cudaGetLastError();
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id = nullptr,
                                        cudaGraph_t* graph = nullptr,
                                        const cudaGraphNode_t** dependencies = nullptr,
                                        std::size_t* count = nullptr);
cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned references, unsigned flags);
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count = 1);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned count = 1, unsigned flags = 0);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream);
}
