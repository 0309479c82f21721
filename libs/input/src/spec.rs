include!("gen/spec.rs");
