//! Lets programs built with Z3 find it where they were linked with it.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let unix = std::env::var_os("CARGO_CFG_UNIX").is_some();
    if std::env::var_os("CARGO_FEATURE_Z3").is_some()
        && unix
        && let Ok(folder) = std::env::var("Z3_LIBRARY_PATH_OVERRIDE")
    {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
    }
}
