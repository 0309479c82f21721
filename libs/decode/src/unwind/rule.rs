//! The rule that leads from a call to its caller, by the tables of a module.

use super::machine::{Memory, NUMBERS, REGISTERS, Registers, Step, word};
use super::module::{ADDRESS_BYTES, Module};
use gimli::{
    CfaRule, EhFrame, EhFrameHdr, LittleEndian, Register, RegisterRule, UnwindContext,
    UnwindSection,
};

/// Place of a caller's register, relative to the caller's stack pointer.
enum Saved {
    /// In memory at this offset.
    At(i64),
    /// The stack pointer plus this offset.
    Value(i64),
    /// In another register.
    In(usize),
    /// Nowhere.
    Lost,
}

/// The rule that leads from a call to its caller.
pub(super) struct Rule {
    /// The register and the offset that give the caller's stack pointer.
    frame: (usize, i64),
    /// The registers that the call has changed.
    saved: Vec<(usize, Saved)>,
    return_register: usize,
}

impl Rule {
    /// Finds the rule for `address`. Rules with expressions are not read: compilers use them only
    /// where no call is made.
    pub(super) fn find(module: &Module, address: u64) -> Option<Self> {
        let index = EhFrameHdr::new(&module.index, LittleEndian);
        let index = index.parse(&module.bases, ADDRESS_BYTES).ok()?;
        let frames = EhFrame::new(&module.frames, LittleEndian);
        let found = index.table()?.fde_for_address(
            &frames,
            &module.bases,
            address,
            EhFrame::cie_from_offset,
        );
        let found = found.ok()?;
        let mut context = UnwindContext::new();
        let row =
            found.unwind_info_for_address(&frames, &module.bases, &mut context, address).ok()?;
        let CfaRule::RegisterAndOffset { register, offset } = *row.cfa() else { return None };
        let saved = row.registers().map(|(register, rule)| {
            let saved = match rule {
                RegisterRule::Offset(offset) => Some(Saved::At(*offset)),
                RegisterRule::ValOffset(offset) => Some(Saved::Value(*offset)),
                RegisterRule::Register(other) => Some(Saved::In(number(*other)?)),
                RegisterRule::Undefined => Some(Saved::Lost),
                RegisterRule::SameValue => return Some(None),
                _ => return None,
            };
            Some(saved.map(|saved| (number(*register), saved)))
        });
        let saved = saved.collect::<Option<Vec<_>>>()?.into_iter().flatten();
        let saved = saved.filter_map(|(register, saved)| Some((register?, saved))).collect();
        let return_register = number(found.cie().return_address_register())?;
        Some(Self { frame: (number(register)?, offset), saved, return_register })
    }

    /// Goes from `at` to the caller. Stacks grow down, so a caller's frame has a larger address.
    pub(super) fn apply(&self, at: &Registers, memory: &impl Memory, is_first: bool) -> Step {
        let (stack, _) = NUMBERS;
        let (base, offset) = self.frame;
        let Some(frame) = at.values[base].map(|base| base.wrapping_add_signed(offset)) else {
            return Step::Unknown;
        };
        if at.values[stack].is_none_or(|here| frame < here || (frame == here && !is_first)) {
            return Step::Unknown;
        }
        // A leaf function of AArch64 has its return address in a register. Elsewhere, only the
        // outermost function does not save it.
        let is_leaf = is_first && cfg!(target_arch = "aarch64");
        if !is_leaf && self.saved.iter().all(|(register, _)| *register != self.return_register) {
            return Step::Outermost;
        }
        let mut caller = at.clone();
        for (register, saved) in &self.saved {
            caller.values[*register] = match *saved {
                Saved::At(offset) => word(memory, frame.wrapping_add_signed(offset)),
                Saved::Value(offset) => Some(frame.wrapping_add_signed(offset)),
                Saved::In(other) => at.values[other],
                Saved::Lost => None,
            };
        }
        caller.values[stack] = Some(frame);
        match caller.values[self.return_register] {
            None | Some(0) => Step::Outermost,
            Some(pc) => {
                caller.pc = pc;
                Step::To(Box::new(caller))
            }
        }
    }
}

/// The index of a register in [`Registers::values`].
fn number(register: Register) -> Option<usize> {
    Some(usize::from(register.0)).filter(|number| *number < REGISTERS)
}
