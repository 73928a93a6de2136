// Pairs of kernels, with and without what orders their threads. nvcc -arch=sm_80 -ptx races.cu
extern "C" __global__ void rev(int*x,int n,int sync){ __shared__ int s[256]; int t=threadIdx.x; s[t]=x[t]; if(sync) __syncthreads(); x[t]=s[n-1-t]; }
extern "C" __global__ void hist(int*h,const int*x,int atomic){ int i=blockIdx.x*blockDim.x+threadIdx.x; if(atomic) atomicAdd(&h[x[i]&3],1); else h[x[i]&3]++; }
extern "C" __global__ void pc(volatile int*flag,int*data,int*out,int fence){ if(threadIdx.x) return; if(blockIdx.x==0){ *data=42; if(fence) __threadfence(); *flag=1; } else { while(*flag==0); if(fence) __threadfence(); *out=*data; } }
extern "C" __global__ void red(int*out,const int*in){ int v=in[threadIdx.x]; __shared__ int w[32]; for(int o=16;o;o>>=1) v+=__shfl_down_sync(-1,v,o); if((threadIdx.x&31)==0) w[threadIdx.x>>5]=v; __syncthreads(); if(threadIdx.x<32){ v=threadIdx.x<blockDim.x/32?w[threadIdx.x]:0; for(int o=16;o;o>>=1) v+=__shfl_down_sync(-1,v,o); if(!threadIdx.x) *out=v; } }
extern "C" __global__ void warpsync(int*o,int s){ __shared__ int a[64]; int t=threadIdx.x; a[t]=t; if(s) __syncwarp(); o[t]=a[t^1]; }
extern "C" __global__ void last(int*cnt,int*part,int*out,int f){ if(threadIdx.x==0){ part[blockIdx.x]=blockIdx.x; if(f)__threadfence(); int k=atomicAdd(cnt,1); if(k==gridDim.x-1){ if(f)__threadfence(); int s=0; for(int i=0;i<gridDim.x;i++) s+=part[i]; *out=s; } } }
