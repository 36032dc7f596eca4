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
struct cudaDeviceProp;
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
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t size, cudaMemcpyKind kind,
                            cudaStream_t stream);
}
