//! A Rust program that calls CUDA's driver API as cudarc and rustacuda do, by its C functions: y = a * x + y.
use std::mem::size_of_val;
use std::os::raw::{c_char, c_int, c_uint, c_void};
use std::ptr::{addr_of_mut, null_mut};

#[link(name = "cuda")]
extern "C" {
    fn cuInit(flags: c_uint) -> c_int;
    fn cuDevicePrimaryCtxRetain(context: *mut *mut c_void, device: c_int) -> c_int;
    fn cuCtxSetCurrent(context: *mut c_void) -> c_int;
    fn cuModuleLoadData(module: *mut *mut c_void, image: *const c_void) -> c_int;
    fn cuModuleGetFunction(function: *mut *mut c_void, module: *mut c_void, name: *const c_char) -> c_int;
    #[link_name = "cuMemAlloc_v2"]
    fn cuMemAlloc(address: *mut u64, bytes: usize) -> c_int;
    #[link_name = "cuMemcpyHtoD_v2"]
    fn cuMemcpyHtoD(to: u64, from: *const c_void, bytes: usize) -> c_int;
    #[link_name = "cuMemcpyDtoH_v2"]
    fn cuMemcpyDtoH(to: *mut c_void, from: u64, bytes: usize) -> c_int;
    #[rustfmt::skip]
    fn cuLaunchKernel(
        function: *mut c_void, gx: c_uint, gy: c_uint, gz: c_uint, bx: c_uint, by: c_uint, bz: c_uint,
        shared: c_uint, stream: *mut c_void, parameters: *mut *mut c_void, extra: *mut *mut c_void,
    ) -> c_int;
}

const SCALE: &str = "
.version 7.8
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n) {
  .reg .pred %p; .reg .b32 %r<5>; .reg .f32 %f<4>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y]; ld.param.f32 %f1, [a]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r2, %r2, %r3, %r4;
  setp.ge.u32 %p, %r2, %r1; @%p ret;
  mul.wide.u32 %d3, %r2, 4; add.s64 %d1, %d1, %d3; add.s64 %d2, %d2, %d3;
  ld.global.f32 %f2, [%d1]; ld.global.f32 %f3, [%d2]; fma.rn.f32 %f3, %f1, %f2, %f3; st.global.f32 [%d2], %f3; ret;
}
\0";

fn check(result: c_int) {
    assert_eq!(result, 0, "the driver gives an error");
}

/// Device memory with these numbers.
fn on_device(numbers: &[f32]) -> u64 {
    let mut address = 0;
    unsafe {
        check(cuMemAlloc(&mut address, size_of_val(numbers)));
        check(cuMemcpyHtoD(address, numbers.as_ptr().cast(), size_of_val(numbers)));
    }
    address
}

fn main() {
    let n: u32 = 1000;
    let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.5).collect();
    let mut y: Vec<f32> = (0..n).map(|i| 1.0 / (i + 1) as f32).collect();
    let wanted: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 3f32.mul_add(*x, *y)).collect();
    let (mut context, mut module, mut scale) = (null_mut(), null_mut(), null_mut());
    unsafe {
        check(cuInit(0));
        check(cuDevicePrimaryCtxRetain(&mut context, 0));
        check(cuCtxSetCurrent(context));
        check(cuModuleLoadData(&mut module, SCALE.as_ptr().cast()));
        check(cuModuleGetFunction(&mut scale, module, b"scale\0".as_ptr().cast()));
    }
    let (mut on_x, mut on_y, mut a, mut count) = (on_device(&x), on_device(&y), 3f32, n);
    let mut parameters: [*mut c_void; 4] =
        [addr_of_mut!(on_x).cast(), addr_of_mut!(on_y).cast(), addr_of_mut!(a).cast(), addr_of_mut!(count).cast()];
    unsafe {
        let (blocks, extra) = ((n + 127) / 128, null_mut());
        check(cuLaunchKernel(scale, blocks, 1, 1, 128, 1, 1, 0, null_mut(), parameters.as_mut_ptr(), extra));
        check(cuMemcpyDtoH(y.as_mut_ptr().cast(), on_y, size_of_val(&y[..])));
    }
    assert_eq!(y, wanted);
    println!("{} numbers are right", y.len());
}
