#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::restriction,
    missing_docs,
    unused_crate_dependencies
)]
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        println!("## {path}");
        match profiler_infer::infer(&[&text]) {
            Ok(it) => {
                println!("{}", it.proposal.summary);
                print!("{}", it.proposal.yaml);
                for a in &it.proposal.assumptions {
                    println!("  # {a}");
                }
                for o in &it.others {
                    println!("  other: {}", o.summary);
                }
            }
            Err(e) => println!("REFUSED {e}"),
        }
    }
}
