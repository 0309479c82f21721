//! The heap map: every block as a rectangle, with time from left to right and addresses from bottom
//! to top.

use crate::html::definitions::term;
use crate::html::elements::time_axis;
use crate::html::escape::escaped_up_to;
use crate::html::number::{self, percent};
use crate::report::allocations::requesting_frame;
use profiler_decode::SOURCE_FILE;
use profiler_proto::v1::{AllocationReport, AllocationSite, ProfileReport};
use std::{cmp::Reverse, collections::BTreeMap};

/// Maximum number of drawn blocks: those with the most bytes × time.
const MAX_BLOCKS: usize = 2000;
/// Size of the largest unused address range that is drawn, in bytes.
const MAX_GAP_BYTES: u64 = 64 * 1024;
/// The height of an omitted range in the picture.
const GAP: f64 = 8.0;
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 360.0;
/// Minimum extent of a drawn block, so that it stays visible.
const MIN_EXTENT: f64 = 0.8;
/// Minimum extent of a block with an outline, which would cover a smaller one.
const MIN_EDGED: f64 = 5.0;
/// Number of call sites with a colour of their own; all others share the last colour.
const COLOURS: usize = 7;

const NS_PER_MS: f64 = 1e6;

struct Block {
    address: u64,
    bytes: u64,
    site: u32,
    from_ns: u64,
    to_ns: Option<u64>,
}

impl Block {
    fn held(&self, end_ns: u64) -> u128 {
        u128::from(self.bytes)
            * u128::from(self.to_ns.unwrap_or(end_ns).saturating_sub(self.from_ns))
    }
}

/// The map, with a legend of the call sites.
pub(in crate::html) fn heap_map(report: &ProfileReport) -> String {
    let Some(allocations) = &report.allocations else { return String::new() };
    let end_ns = allocations.events.iter().map(|event| event.time_ns).max().unwrap_or(0);
    let mut blocks = blocks(allocations);
    if blocks.is_empty() || end_ns == 0 {
        return String::new();
    }
    let there = blocks.len();
    let held = |blocks: &[Block]| blocks.iter().map(|block| block.held(end_ns) as f64).sum::<f64>();
    let all = held(&blocks);
    blocks.sort_by_key(|block| {
        (Reverse(block.held(end_ns)), Reverse(block.bytes), block.address, block.from_ns)
    });
    blocks.truncate(MAX_BLOCKS);
    let drawn_share = if all > 0.0 { held(&blocks) / all } else { 1.0 };
    let stretches = Stretches::of(&blocks);
    let drawn: String = blocks.iter().map(|block| draw(block, &stretches, end_ns)).collect();
    let mut notes = vec![format!(
        "{}: each rectangle is a block, from its allocation until it was freed.",
        term("heap-map", "Heap map")
    )];
    if there > MAX_BLOCKS {
        notes.push(format!(
            "{MAX_BLOCKS} of {} blocks are drawn; they make up {} of all bytes × time.",
            number::count(there as u64),
            percent(drawn_share)
        ));
    }
    if allocations.events_dropped > 0 {
        let whole_ms = allocations.snapshots.iter().map(|it| it.time_ms).fold(0.0, f64::max);
        let drawn_ms = end_ns as f64 / NS_PER_MS;
        notes.push(format!(
            "It shows the first {} of {}, {} of the run; later calls, not recorded: {}.",
            number::time(drawn_ms),
            number::time(whole_ms.max(drawn_ms)),
            percent(drawn_ms / whole_ms.max(drawn_ms)),
            number::count(allocations.events_dropped)
        ));
    }
    format!(
        "<p class=\"note\">{}</p><figure class=\"map\"><div class=\"stretch\"><span class=\"top\">addresses ↑</span>\
         <svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" preserveAspectRatio=\"none\" role=\"img\"><title>Heap map</title>\
         <desc>blocks: {}, address ranges: {}</desc>{drawn}</svg>{}</div>{}</figure>",
        notes.join(" "),
        blocks.len(),
        stretches.0.len(),
        time_axis(end_ns as f64 / NS_PER_MS),
        legend(&allocations.sites, &blocks)
    )
}

/// The blocks that the events allocate and free.
fn blocks(of: &AllocationReport) -> Vec<Block> {
    let mut live: BTreeMap<u64, Block> = BTreeMap::new();
    let mut blocks = Vec::new();
    for event in &of.events {
        // An allocation at the address of a live block replaces it: the block grew in place.
        if let Some(mut ended) = live.remove(&event.address) {
            ended.to_ns = Some(event.time_ns);
            blocks.push(ended);
        }
        if event.bytes > 0 {
            let (address, bytes, site) = (event.address, event.bytes, event.site);
            live.insert(
                address,
                Block { address, bytes, site, from_ns: event.time_ns, to_ns: None },
            );
        }
    }
    blocks.extend(live.into_values());
    blocks
}

/// Address ranges of the picture, the lowest first, each with its height above the bottom; and the
/// height of a byte.
struct Stretches(Vec<(u64, u64, f64)>, f64);

impl Stretches {
    fn of(blocks: &[Block]) -> Self {
        let mut spans: Vec<_> = blocks
            .iter()
            .map(|block| (block.address, block.address.saturating_add(block.bytes)))
            .collect();
        spans.sort_unstable();
        let mut stretches: Vec<(u64, u64, f64)> = Vec::new();
        for (from, to) in spans {
            match stretches.last_mut() {
                Some(last) if from.saturating_sub(last.1) <= MAX_GAP_BYTES => {
                    last.1 = last.1.max(to);
                }
                _ => stretches.push((from, to, 0.0)),
            }
        }
        let gap = GAP.min(HEIGHT / 2.0 / stretches.len() as f64);
        let bytes: f64 = stretches.iter().map(|(from, to, _)| (to - from) as f64).sum();
        let scale = (HEIGHT - gap * stretches.len() as f64) / bytes.max(1.0);
        let mut at = 0.0;
        for (from, to, begins) in &mut stretches {
            *begins = at;
            at += (*to - *from) as f64 * scale + gap;
        }
        Self(stretches, scale)
    }

    /// The height of an address above the bottom.
    fn above(&self, address: u64) -> f64 {
        let after = self.0.partition_point(|(from, ..)| *from <= address);
        let Some((from, _, begins)) = after.checked_sub(1).and_then(|at| self.0.get(at)) else {
            return 0.0;
        };
        begins + (address - from) as f64 * self.1
    }
}

fn draw(block: &Block, stretches: &Stretches, end_ns: u64) -> String {
    let (from, to) = (block.from_ns, block.to_ns.unwrap_or(end_ns));
    let x = number::share(from, end_ns) * WIDTH;
    let width = (number::share(to.saturating_sub(from), end_ns) * WIDTH).max(MIN_EXTENT);
    let height = (block.bytes as f64 * stretches.1).max(MIN_EXTENT);
    let y = HEIGHT - stretches.above(block.address) - height;
    let edge = if width.min(height) > MIN_EDGED { " edged" } else { "" };
    let ends = match block.to_ns {
        Some(to) => number::time(to as f64 / NS_PER_MS),
        None => "the end".into(),
    };
    let (bytes, from) = (number::bytes(block.bytes), number::time(from as f64 / NS_PER_MS));
    format!(
        "<rect class=\"c{}{edge}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"><title>{bytes}, {from} to {ends}</title></rect>",
        colour(block.site)
    )
}

fn colour(site: u32) -> usize {
    (site as usize).min(COLOURS)
}

fn legend(sites: &[AllocationSite], blocks: &[Block]) -> String {
    let mut used: Vec<_> = blocks.iter().map(|block| colour(block.site)).collect();
    used.sort_unstable();
    used.dedup();
    let keys = used.into_iter().map(|colour| {
        let name = sites.get(colour).filter(|_| colour < COLOURS).map(|site| {
            requesting_frame(&site.trace).map_or("unknown".into(), |frame| {
                let function = escaped_up_to(&frame.function, 60);
                match frame.line {
                    line @ 1.. if frame.file == SOURCE_FILE => {
                        format!("{function} <a href=\"#L{line}\">line {line}</a>")
                    }
                    _ => function,
                }
            })
        });
        format!(
            "<li class=\"c{colour}\">{}</li>",
            name.unwrap_or_else(|| "other call sites".into())
        )
    });
    format!("<ul class=\"legend\">{}</ul>", keys.collect::<String>())
}
