// SPDX-License-Identifier: MIT
// Load, sample, change and save from Rust, without a crate: rustc -L build/lib -l marrow first.rs
use std::ffi::CString;
use std::os::raw::{c_char, c_void};
use std::{env, fs, process, ptr, slice};

#[repr(C)]
#[derive(Clone, Copy)]
struct Text {
    data: *const c_char,
    size: usize,
}
#[repr(C)]
struct ErrorInfo {
    offset: u64,
    code: i32,
    name: Text,
    message: Text,
    path: Text,
    file: Text,
}
#[repr(C)]
struct ClipInfo {
    name: Text,
    skeleton_name: Text,
    frame_count: u32,
    track_count: u32,
    float_track_count: u32,
    duration_seconds: f32,
    blend: i32,
    skeleton: i32,
    has_root_motion: u32,
    is_compressed: u32,
}
#[repr(C)]
struct File {
    name: Text,
    extension: Text,
    bytes: *const u8,
    byte_count: usize,
}

#[link(name = "marrow")]
extern "C" {
    fn marrow_load_file(path: *const c_char, context: *const c_void, out: *mut u64) -> i32;
    fn marrow_get_clip(document: u64, clip: u32, out: *mut ClipInfo) -> i32;
    fn marrow_open_sampler(document: u64, clip: u32, bones: u64, skeleton: u32, context: *const c_void, out: *mut u64) -> i32;
    fn marrow_sample_seconds(sampler: u64, seconds: f64, wrap: u32, space: i32, out: *mut f32, count: u32) -> i32;
    fn marrow_apply(document: u64, operation: *const c_char, options: *const c_char, inputs: *const c_void, count: usize,
                    context: *const c_void, out: *mut u64) -> i32;
    fn marrow_save(document: u64, options: *const c_char, name: *const c_char, context: *const c_void, out: *mut u64) -> i32;
    fn marrow_get_file(result: u64, index: u32, out: *mut File) -> i32;
    fn marrow_last_error(out: *mut ErrorInfo) -> i32;
    fn marrow_release(handle: u64) -> i32;
}

fn text(from: Text) -> String {
    String::from_utf8_lossy(unsafe { slice::from_raw_parts(from.data as *const u8, from.size) }).into_owned()
}

fn check(status: i32) {
    if status != 0 {
        let mut error: ErrorInfo = unsafe { std::mem::zeroed() };
        unsafe { marrow_last_error(&mut error) };
        eprintln!("{}: {}", text(error.file), text(error.message));
        process::exit(1);
    }
}

fn main() {
    let words: Vec<String> = env::args().collect();
    let c = |s: &str| CString::new(s).unwrap();
    unsafe {
        let (mut clip, mut sampler, mut saved) = (0, 0, 0);
        check(marrow_load_file(c(&words[1]).as_ptr(), ptr::null(), &mut clip));
        let mut info: ClipInfo = std::mem::zeroed();
        check(marrow_get_clip(clip, 0, &mut info));
        println!("{} frames, {} tracks", info.frame_count, info.track_count);
        check(marrow_open_sampler(clip, 0, 0, 0, ptr::null(), &mut sampler));
        let mut pose = vec![0f32; info.track_count as usize * 10];
        check(marrow_sample_seconds(sampler, 0.25, 1, 0, pose.as_mut_ptr(), pose.len() as u32));
        println!("{:.3} {:.3} {:.3}", pose[10], pose[11], pose[12]);
        let (operation, options) = (c("annotations add"), c("{\"time\": 0.25, \"text\": \"FootLeft\"}"));
        check(marrow_apply(clip, operation.as_ptr(), options.as_ptr(), ptr::null(), 0, ptr::null(), ptr::null_mut()));
        check(marrow_save(clip, ptr::null(), ptr::null(), ptr::null(), &mut saved));
        let mut file: File = std::mem::zeroed();
        check(marrow_get_file(saved, 0, &mut file));
        fs::write(&words[2], slice::from_raw_parts(file.bytes, file.byte_count)).unwrap();
        for handle in [saved, sampler, clip] {
            check(marrow_release(handle));
        }
    }
}
