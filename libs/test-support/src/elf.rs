//! Executables without code, whose headers are as a linker writes them.

const HEADER_BYTES: usize = 64;
const PROGRAM_HEADER_BYTES: usize = 56;
const PROGRAM_HEADERS: usize = 3;
const BASE: u64 = 0x40_0000;
const X86_64: u64 = 62;
const LOADED: u64 = 1;
const DYNAMIC: u64 = 2;
const LOADER: u64 = 3;

/// Makes an executable for x86-64 that needs these shared libraries, and the dynamic loader at this
/// path unless the path is empty. The dynamic section is at the end of the file.
pub fn executable(loader: &str, libraries: &[&str]) -> Vec<u8> {
    let mut names = vec![0];
    let mut entries = Vec::new();
    for library in libraries {
        entries.push((1, names.len() as u64));
        names.extend(library.bytes().chain([0]));
    }
    let names_at = HEADER_BYTES + PROGRAM_HEADERS * PROGRAM_HEADER_BYTES;
    entries.extend([(5, BASE + names_at as u64), (10, names.len() as u64), (0, 0)]);
    let loader: Vec<u8> = loader.bytes().chain([0]).collect();
    let loader_at = names_at + names.len();
    let dynamic_at = loader_at + loader.len();
    let bytes = dynamic_at + entries.len() * 16;

    let mut file = b"\x7fELF\x02\x01".to_vec();
    file.resize(HEADER_BYTES, 0);
    let count = if loader.len() > 1 { PROGRAM_HEADERS } else { PROGRAM_HEADERS - 1 };
    put(&mut file[16..], &[2 | X86_64 << 16, BASE, HEADER_BYTES as u64]);
    put(&mut file[56..], &[count as u64]);
    for (kind, offset, address, bytes) in [
        (LOADED, 0, BASE, bytes),
        (DYNAMIC, dynamic_at, 0, bytes - dynamic_at),
        (LOADER, loader_at, 0, loader.len()),
    ] {
        let [offset, bytes] = [offset, bytes].map(|it| it as u64);
        let start = file.len();
        file.resize(start + PROGRAM_HEADER_BYTES, 0);
        put(&mut file[start..], &[kind | 5 << 32, offset, address, address, bytes, bytes]);
    }
    file.extend(names);
    file.extend(loader);
    file.extend(
        entries
            .iter()
            .flat_map(|&(tag, value): &(u64, u64)| [tag, value])
            .flat_map(u64::to_le_bytes),
    );
    file
}

fn put(bytes: &mut [u8], numbers: &[u64]) {
    for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}
