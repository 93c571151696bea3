use splc_tests::*; use splc_ir::{abi::Abi, catalog::Catalog};
fn main(){ let a:Vec<String>=std::env::args().collect(); let c=Catalog::by_name(&a[1]).unwrap(); let abi=Abi::by_name(&a[2]).unwrap();
 for f in &a[4..]{ let p=std::path::Path::new(f); let r=compile(std::fs::read(p).unwrap(),Some(p),c); for m in r.messages(){eprintln!("{f}:{m}");} for (n,b) in r.levels(c,abi){ std::fs::write(format!("{}/{n}.lev",a[3]),b).unwrap(); } } }
