//{"count":24,"threads":128,"blocks":3,"shape":[32,4]}
#include "prelude.h"
#define N 24
#define BLOCK 128
#ifdef __CUDACC__
#include <cuda/atomic>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
template<int W> __device__ void tile(u32 v, u64* o) {
  auto t = cg::tiled_partition<W>(cg::this_thread_block());
  o[0] = cg::reduce(t, v, cg::plus<u32>()) ^ ((u64)cg::reduce(t, (i32)v, cg::less<i32>()) << 3);
  o[1] = cg::inclusive_scan(t, v, cg::plus<u32>()) + 3 * (u64)cg::exclusive_scan(t, v);
  o[2] = t.shfl(v, 3 % W) + t.shfl_xor(v, 1) * 3ull + t.any(v & 1) + t.all(v & 2) * 2 + t.ballot(v & 1) * 4ull;
  o[3] = t.match_any(v & 3) + t.meta_group_rank() * 1000ull + t.meta_group_size() * 100000ull + t.thread_rank() * 7 + cg::reduce(t, v, cg::bit_xor<u32>());
}
extern "C" __global__ void k(const u32 *in, u64 *out, u32 n) {
  auto b = cg::this_thread_block(); u32 me = b.thread_rank();
  u32 i = blockIdx.x * BLOCK + me; const u32* x = in + 8*i; u64* o = out + N*i;
  tile<32>(x[0], o); tile<16>(x[1], o+4); tile<8>(x[2], o+8); tile<4>(x[3], o+12);
  auto w = cg::tiled_partition<32>(b);
  auto l = cg::labeled_partition(w, (int)(x[4] % 5));
  o[16] = l.thread_rank() * 64ull + l.size() + ((u64)cg::reduce(l, x[5], cg::plus<u32>()) << 20);
  auto bp = cg::binary_partition(w, (bool)(x[6] & 1));
  o[17] = bp.thread_rank() * 64ull + bp.size() + ((u64)cg::reduce(bp, x[5], cg::greater<u32>()) << 20);
  o[18] = 0;
  if (x[7] % 3) { auto c = cg::coalesced_threads(); o[18] = c.size() * 100 + c.thread_rank() + ((u64)c.shfl(x[0], 0) << 16) + c.any(x[0]&1); c.sync(); o[18] += cg::inclusive_scan(c, x[1]); }
  __shared__ cg::block_tile_memory<128> mem; 
  auto big = cg::this_thread_block(mem); auto t64 = cg::tiled_partition<64>(big);
  o[19] = cg::reduce(t64, x[2], cg::plus<u32>()) + t64.thread_rank();
  o[20] = cg::inclusive_scan(t64, x[3]); 
  __shared__ u32 sum; if (me == 0) sum = 0; b.sync();
  cg::reduce_update_async(w, *(cuda::atomic<u32, cuda::thread_scope_block>*)&sum, x[4], cg::plus<u32>());
  b.sync(); o[21] = sum; b.sync();
  o[22] = cg::inclusive_scan(w, (u64)x[5] * x[6], [](u64 a, u64 c) { return a > c ? a : c; });
  cg::invoke_one(w, [&] { sum = 5; }); b.sync(); o[23] = sum + b.group_index().x * 10 + b.dim_threads().y * 100 + b.thread_index().x * 1000;
}
#else
#include <cstdio>
#include <vector>
static u32 x[BLOCK][8]; static u64 out[BLOCK][N];
void tile(int W, int me, int f, u64* o) { int g = me / W * W, r = me - g; u32 s=0, inc=0, mx=0, ba=0, ma=0; i32 mn=0x7fffffff; bool any=0, all=1; u32 xo=0;
 for (int j=0;j<W;j++){ u32 v=x[g+j][f]; s+=v; xo^=v; if ((i32)v<mn) mn=v; if (j<=r) inc+=v; if(v&1) ba|=1u<<j; any|=v&1; all&=!!(v&2); if ((v&3)==(x[me][f]&3)) ma|=1u<<j; }
 o[0] = s ^ ((u64)mn << 3); o[1] = inc + 3*(u64)(u32)(inc - x[me][f]);
 o[2] = x[g+3%W][f] + x[g+(r^1)][f]*3ull + any + all*2 + ba*4ull;
 o[3] = ma + (me/W)*1000ull + (BLOCK/W)*100000ull + r*7 + xo; }
int main() { int block=0; while (fread(x, 4, 8*BLOCK, stdin) == 8*BLOCK) { 
 for (int me=0; me<BLOCK; me++) { u64* o=out[me]; tile(32,me,0,o); tile(16,me,1,o+4); tile(8,me,2,o+8); tile(4,me,3,o+12);
  int g = me&~31; u32 r=0,n=0,s=0; for (int j=g;j<g+32;j++) if (x[j][4]%5==x[me][4]%5) { n++; s+=x[j][5]; if (j<me) r++; }
  o[16] = r*64ull+n+((u64)s<<20);
  r=n=s=0; for (int j=g;j<g+32;j++) if ((x[j][6]&1)==(x[me][6]&1)) { n++; if (x[j][5]>s) s=x[j][5]; if (j<me) r++; }
  o[17] = r*64ull+n+((u64)s<<20);
  o[18]=0; if (x[me][7]%3) { int first=-1; bool any=0; u32 sc=0; r=n=0; for (int j=g;j<g+32;j++) if (x[j][7]%3) { if(first<0) first=j; n++; any|=x[j][0]&1; if (j<me) r++; if (j<=me) sc+=x[j][1]; }
   o[18] = n*100 + r + ((u64)x[first][0]<<16) + any; o[18] += sc; }
  int q=me&~63; u32 s2=0,in2=0; for(int j=q;j<q+64;j++){ s2+=x[j][2]; if(j<=me) in2+=x[j][3]; } o[19]=(u64)(u32)s2+(me&63); o[20]=in2;
  u32 al=0; for(int j=0;j<BLOCK;j++) al+=x[j][4]; o[21]=al;
  u64 m=0; for(int j=g;j<=me;j++){u64 v=(u64)x[j][5]*x[j][6]; if(v>m)m=v;} o[22]=m;
  o[23]=5+block*10+400+(me&31)*1000ull; }
 block++; fwrite(out,8,N*BLOCK,stdout);} }
#endif
