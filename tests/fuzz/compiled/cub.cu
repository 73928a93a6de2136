//{"count":10,"threads":128,"blocks":2,"shape":[128]}
#include "prelude.h"
#define NOUT 10
#define BLK 128
#ifdef __CUDACC__
#include <cub/block/block_scan.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/block/block_discontinuity.cuh>
extern "C" __global__ void k(const u32 *in, u64 *out, u32 n) {
  u32 me = threadIdx.x, i = blockIdx.x*BLK+me; const u32* x = in+8*i; u64* o = out+NOUT*i;
  using Scan = cub::BlockScan<u32, BLK>; using Red = cub::BlockReduce<u64, BLK>; using Sort = cub::BlockRadixSort<u32, BLK, 2, u32>;
  using WS = cub::WarpScan<u32>; using WR = cub::WarpReduce<u32>; using Ex = cub::BlockExchange<u32, BLK, 4>;
  __shared__ union { typename Scan::TempStorage a; typename Red::TempStorage b; typename Sort::TempStorage c; typename WS::TempStorage d[4]; typename WR::TempStorage e[4]; typename Ex::TempStorage f; } t;
  u32 v, agg; Scan(t.a).ExclusiveSum(x[0], v, agg); o[0] = v + ((u64)agg << 32); __syncthreads();
  u64 r = Red(t.b).Sum((u64)x[1] << 8); o[1] = me == 0 ? r : 0; __syncthreads();
  u32 key[2] = {x[2], x[3]}, val[2] = {me*2, me*2+1}; Sort(t.c).Sort(key, val); o[2] = key[0] + ((u64)key[1] << 32); o[3] = val[0] + ((u64)val[1] << 32); __syncthreads();
  WS(t.d[me/32]).InclusiveSum(x[4], v); o[4] = v; __syncthreads();
  u32 w = WR(t.e[me/32]).Sum(x[5]); o[5] = me % 32 ? 0 : w; __syncthreads();
  u32 q[4] = {x[0], x[1], x[2], x[3]}; Ex(t.f).BlockedToStriped(q); o[6] = q[0] + ((u64)q[1] << 32); o[7] = q[2] + ((u64)q[3] << 32); __syncthreads();
  Scan(t.a).InclusiveScan(x[6], v, [](u32 a, u32 b) { return a > b ? a : b; }); o[8] = v; __syncthreads();
  i32 k2[2] = {(i32)x[6], (i32)x[7]}; using S2 = cub::BlockRadixSort<i32, BLK, 2>; __shared__ typename S2::TempStorage g; S2(g).SortDescending(k2); o[9] = (u32)k2[0] + ((u64)(u32)k2[1] << 32);
}
#else
#include <cstdio>
#include <vector>
#include <algorithm>
static u32 x[BLK][8]; static u64 out[BLK][NOUT];
int main() { while (fread(x, 4, 8*BLK, stdin) == 8*BLK) {
 u32 s=0, tot=0; u64 r=0; for (auto&v:x){tot+=v[0]; r+=(u64)v[1]<<8;}
 std::vector<std::pair<u32,u32>> kv; std::vector<i32> k2; for (u32 i=0;i<BLK;i++){ kv.push_back({x[i][2],2*i}); kv.push_back({x[i][3],2*i+1}); k2.push_back(x[i][6]); k2.push_back(x[i][7]); }
 std::stable_sort(kv.begin(),kv.end(),[](auto&a,auto&b){return a.first<b.first;}); std::sort(k2.begin(),k2.end(),std::greater<i32>());
 u32 mx=0;
 for (u32 i=0;i<BLK;i++){ auto o=out[i]; o[0]=s+((u64)tot<<32); s+=x[i][0]; o[1]=i?0:r; o[2]=kv[2*i].first+((u64)kv[2*i+1].first<<32); o[3]=kv[2*i].second+((u64)kv[2*i+1].second<<32);
  u32 a=0; for(u32 j=i&~31;j<=i;j++) a+=x[j][4]; o[4]=a; a=0; for(u32 j=i;j<(i&~31)+32;j++) a+=x[j][5]; o[5]=i%32?0:a;
  auto q=[&](u32 c){u32 p=c*BLK+i; return x[p/4][p%4];}; o[6]=q(0)+((u64)q(1)<<32); o[7]=q(2)+((u64)q(3)<<32);
  mx=std::max(mx,x[i][6]); o[8]=mx; o[9]=(u32)k2[2*i]+((u64)(u32)k2[2*i+1]<<32); }
 fwrite(out,8,NOUT*BLK,stdout);} }
#endif
