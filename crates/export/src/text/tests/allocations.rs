use super::{ending, shown, whole};
use profiler_proto::v1::{LeftBlocks, LeftKind, Warning, WarningCode};

#[test]
fn lower_bounds_of_allocations_are_marked() {
    let bound = |code: WarningCode| {
        let mut report = whole();
        report.warnings = vec![Warning { code: code.into(), ..Warning::default() }];
        shown(&ending(report)).contains("lower bounds (see the warnings)")
    };
    assert!(bound(WarningCode::AllocationsLowerBounds));
    assert!(!bound(WarningCode::AllocationsPartial));
}

#[test]
fn loss_of_a_site_is_summed_unless_nobody_looked() {
    let lost = |kinds: &[LeftKind]| {
        let mut report = whole();
        let part = |&kind: &LeftKind| LeftBlocks { kind: kind.into(), blocks: 1, bytes: u64::MAX };
        let site = &mut report.allocations.as_mut().unwrap().sites[0];
        site.left = kinds.iter().map(part).collect();
        let text = shown(&ending(report));
        let row = text.lines().find(|line| line.ends_with("line 3, work()")).unwrap();
        row.split_whitespace().skip(3).take_while(|word| *word != "line").collect::<String>()
    };
    assert_eq!(lost(&[LeftKind::Unknown]), "?");
    assert_eq!(lost(&[LeftKind::Reachable]), "0B");
    assert_eq!(lost(&[LeftKind::Lost, LeftKind::IndirectlyLost]), "16777216TiB");
}

#[test]
fn blocks_that_are_left_are_told_apart() {
    let told = |kinds: &[(LeftKind, u64)], lines: &[u32]| {
        let mut report = whole();
        let allocations = report.allocations.as_mut().unwrap();
        let left = kinds.iter().map(|&(kind, blocks)| LeftBlocks {
            kind: kind.into(),
            blocks,
            bytes: 16 * blocks,
        });
        allocations.left = left.collect();
        let site = allocations.sites[0].clone();
        allocations.sites = lines.iter().map(|_| site.clone()).collect();
        for (site, line) in allocations.sites.iter_mut().zip(lines) {
            site.trace.iter_mut().for_each(|frame| frame.line = *line);
        }
        let text = shown(&ending(report));
        text.lines().find(|line| line.contains("left at the end")).unwrap().trim().to_owned()
    };
    let lost = LeftKind::Lost;
    assert_eq!(told(&[], &[]), "nothing left at the end");
    assert_eq!(told(&[(lost, 1)], &[]), "left at the end: 1 block (16 B) lost");
    assert_eq!(
        told(&[(lost, 3), (LeftKind::IndirectlyLost, 2)], &[12, 12]),
        "left at the end: 3 blocks (48 B) lost in line 12; 2 blocks (32 B) indirectly lost"
    );
    assert_eq!(
        told(&[(lost, 4)], &[9, 8, 7, 6, 5]),
        "left at the end: 4 blocks (64 B) lost in lines 9, 8, 7 and 2 more"
    );
    assert_eq!(
        told(&[(LeftKind::Unknown, 2)], &[]),
        "left at the end: 2 blocks (32 B) lost or still reachable: not known which"
    );
}
