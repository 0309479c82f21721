//! Ends blocks of a profiled program: adds the code of
//! [`call_tracking`](crate::profiling::call_tracking) to the replacement of the jump.
//!
//! It follows all calls and returns of the program itself. In libraries it follows only calls into
//! the program and returns to it.

use crate::layout::absolute;
use crate::leave_reason::{CROSS, ENTER, RETURN};
use crate::profiling::call_tracking::{INSIDE, Misses, OUTSIDE};
use crate::profiling::profile::{Lead, is_inside, profile};
use crate::translation::block::{Block, End};
use crate::translation::block_chaining::Links;
use crate::translation::block_exits::{end, load_operand, near, original, pop_target};
use crate::translation::writer::{SPILLED_RCX, TARGET, Writer, patch};
use iced_x86::Instruction;

/// Emits the replacement of the last instruction.
pub(crate) fn profiled_end(links: &mut Links, block: &Block, last: &Instruction) {
    let inside = is_inside(block.start.into());
    match block.end {
        End::Call if inside => {
            links.hot.push(block.end_address());
            links.hot.save_rcx(SPILLED_RCX);
            enter(links, block, Lead::To(near(block)), true);
        }
        End::Jump if inside && is_tail_call(block) => {
            links.hot.save_rcx(SPILLED_RCX);
            enter(links, block, Lead::To(near(block)), false);
        }
        End::Return => {
            links.hot.save_rcx(SPILLED_RCX);
            if inside {
                let misses = links.hot.leave_node();
                let after = links.hot.at;
                links.cold.miss(misses, after, RETURN);
            } else {
                returned(links);
            }
            pop_target(links, last);
            links.hot.save_rcx(TARGET);
            links.hot.jump_by_target();
        }
        End::IndirectJump | End::IndirectCall => {
            links.hot.save_rcx(SPILLED_RCX);
            load_operand(links, original(block, last), last);
            if block.end == End::IndirectCall {
                links.hot.push(block.end_address());
            }
            links.hot.save_rcx(TARGET);
            let pointer = last.is_ip_rel_memory_operand();
            let pointer = pointer.then(|| absolute(last.ip_rel_memory_address()));
            match (block.end, inside, pointer) {
                (End::IndirectCall, true, _) => enter(links, block, Lead::Anywhere(pointer), true),
                (End::IndirectCall, false, _) => called(links, block),
                (_, true, Some(pointer)) => passed_on(links, block, pointer),
                (_, true, None) => crossed(links, block, OUTSIDE),
                (_, false, _) => crossed(links, block, INSIDE),
            }
            links.hot.jump_by_target();
        }
        _ => end(links, block, last, None),
    }
}

fn is_tail_call(block: &Block) -> bool {
    profile().is_some_and(|profile| profile.is_tail_call(block.end_address(), near(block)))
}

/// Emits code that enters the node of a call or jump.
fn enter(links: &mut Links, block: &Block, lead: Lead, pushes: bool) {
    let (place, misses) = place(&mut links.hot, block, lead, pushes);
    links.cold.miss(misses, place, ENTER);
}

fn place(code: &mut Writer, block: &Block, lead: Lead, pushes: bool) -> (u32, Misses) {
    let Some(profile) = profile() else { return (0, [None; 2]) };
    let (place, cache) = profile.place(code.at, block.end_address(), lead);
    (place, code.enter(cache, matches!(lead, Lead::Anywhere(_)), pushes))
}

/// Emits a jump to the value of a pointer of the program. If the return address is a library's, the
/// return is not followed. If the jump leaves the program too, the function therefore ends here.
fn passed_on(links: &mut Links, block: &Block, pointer: u32) {
    let jump = links.hot.jump_if_return_is(OUTSIDE);
    enter(links, block, Lead::Through(pointer), false);
    let after = links.hot.at;
    patch(jump, links.cold.at);
    let out = links.cold.jump_if_target_is(OUTSIDE);
    // The target is in the program, or the pointer is not bound yet.
    links.cold.cause(block.end_address());
    links.cold.leave(CROSS);
    patch(out, links.cold.at);
    leave(links, after);
}

/// Emits code, off the main path, that pops the last call and continues at `after`.
fn leave(links: &mut Links, after: u32) {
    let misses = links.cold.leave_node();
    links.cold.jump(after);
    links.cold.miss(misses, after, RETURN);
}

/// Emits code for a library's call, which is followed if it enters the program.
fn called(links: &mut Links, block: &Block) {
    let jump = links.hot.jump_if_target_is(INSIDE);
    let after = links.hot.at;
    patch(jump, links.cold.at);
    let (place, misses) = place(&mut links.cold, block, Lead::Anywhere(None), true);
    links.cold.jump(after);
    links.cold.miss(misses, place, ENTER);
}

/// Emits code for a library's return, which is followed if it returns to the program.
fn returned(links: &mut Links) {
    let jump = links.hot.jump_if_return_is(INSIDE);
    let after = links.hot.at;
    patch(jump, links.cold.at);
    leave(links, after);
}

/// Emits a jump that leaves generated code if the target is in `table`.
fn crossed(links: &mut Links, block: &Block, table: u32) {
    let jump = links.hot.jump_if_target_is(table);
    patch(jump, links.cold.at);
    links.cold.cause(block.end_address());
    links.cold.leave(CROSS);
}
