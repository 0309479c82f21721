//! Decodes a basic block: up to the first instruction after which execution may continue elsewhere.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register, RflagsBits,
};

/// The maximum number of instructions of a block; it must fit a signed byte.
pub(crate) const BLOCK_LIMIT: usize = 48;
/// Reason why a program is not counted that uses gs, the counter's register.
pub(crate) const USES_GS: &str = "it uses the register gs";
/// The maximum length of an instruction.
pub(crate) const INSTRUCTION_BYTES: usize = 15;
/// The size of a full address.
const ADDRESS_BYTES: usize = 8;
/// The maximum size of a block, in bytes.
pub(crate) const BLOCK_BYTES: usize = BLOCK_LIMIT * INSTRUCTION_BYTES;
/// The flags that an addition changes, without the adjust flag.
const FLAGS: u32 =
    RflagsBits::CF | RflagsBits::PF | RflagsBits::ZF | RflagsBits::SF | RflagsBits::OF;
/// The flag that logic instructions leave undefined. Only `pushf` and `lahf` can read it.
const ADJUST: u32 = RflagsBits::AF;

/// Kind of a block's end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The block is as long as a block may be, or the next instruction cannot be translated.
    Next,
    Jump,
    Call,
    Condition,
    /// A conditional jump on rcx, which has no long form.
    Counted,
    Return,
    IndirectJump,
    IndirectCall,
    System,
    /// A `cpuid`.
    Identify,
    /// An instruction that faults.
    Fault,
    /// The block's only instruction cannot be translated, for this reason.
    Refused(&'static str),
}

pub(crate) struct Block {
    pub(crate) start: u32,
    /// The original bytes, from which instructions are copied.
    pub(crate) bytes: *const u8,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) end: End,
    /// The index of an instruction before which an ordinary addition can update the count, if there
    /// is one.
    pub(crate) place: Option<usize>,
    /// Whether neither the block nor later code uses flags from before the block.
    pub(crate) flags_dead: bool,
}

impl Block {
    pub(crate) fn new() -> Self {
        Self {
            start: 0,
            bytes: std::ptr::null(),
            instructions: Vec::with_capacity(BLOCK_LIMIT),
            end: End::Next,
            place: None,
            flags_dead: false,
        }
    }

    /// Decodes the block at `start`, which consists of the first of these bytes.
    pub(crate) fn decode(&mut self, start: u32, bytes: &'static [u8]) {
        let mut decoder = Decoder::with_ip(64, bytes, u64::from(start), DecoderOptions::NONE);
        self.start = start;
        self.bytes = bytes.as_ptr();
        self.end = End::Next;
        self.instructions.clear();
        while self.instructions.len() < BLOCK_LIMIT && decoder.can_decode() {
            let instruction = decoder.decode();
            let end = ending(&instruction);
            // An instruction that cannot be translated matters only when it is executed, so it gets
            // a block of its own.
            if matches!(end, Some(End::Refused(_))) && !self.instructions.is_empty() {
                break;
            }
            self.instructions.push(instruction);
            if let Some(end) = end {
                self.end = end;
                break;
            }
        }
    }

    /// The address after the block.
    pub(crate) fn end_address(&self) -> u32 {
        self.instructions.last().map_or(self.start, |last| crate::layout::absolute(last.next_ip()))
    }

    /// The target of the direct jump at the end.
    pub(crate) fn target(&self) -> u64 {
        self.instructions.last().map_or(0, Instruction::near_branch_target)
    }

    /// The address where execution always continues, if there is one.
    pub(crate) fn next(&self) -> Option<u64> {
        match self.end {
            End::Next | End::System => Some(u64::from(self.end_address())),
            End::Jump | End::Call => Some(self.target()),
            _ => None,
        }
    }

    /// Finds the place where no flag is needed; `after` says whether no flag is needed after the
    /// block.
    pub(crate) fn find_place(&mut self, after: bool) {
        let mut dead = if after && self.end != End::System { FLAGS | ADJUST } else { 0 };
        self.place = None;
        for (at, instruction) in self.instructions.iter().enumerate().rev() {
            dead = (dead | overwritten(instruction)) & !instruction.rflags_read();
            if dead == FLAGS | ADJUST {
                self.place = Some(at);
            }
        }
        self.flags_dead = dead == FLAGS | ADJUST;
    }
}

/// The flags that an instruction overwrites, whatever its operands are.
fn overwritten(instruction: &Instruction) -> u32 {
    let shifts = matches!(
        instruction.mnemonic(),
        Mnemonic::Shl
            | Mnemonic::Sal
            | Mnemonic::Shr
            | Mnemonic::Sar
            | Mnemonic::Shld
            | Mnemonic::Shrd
            | Mnemonic::Rol
            | Mnemonic::Ror
            | Mnemonic::Rcl
            | Mnemonic::Rcr
    );
    // A shift by 0 and a repetition of 0 times leave the flags unchanged.
    if shifts || instruction.has_rep_prefix() || instruction.has_repne_prefix() {
        return 0;
    }
    let undefined = instruction.rflags_undefined();
    (instruction.rflags_modified() & !undefined) | undefined & ADJUST
}

/// Returns the block's end if it ends with this instruction.
fn ending(instruction: &Instruction) -> Option<End> {
    let kind = if instruction.op_count() > 0 { Some(instruction.op0_kind()) } else { None };
    let near = kind == Some(OpKind::NearBranch64);
    let whole = match kind {
        Some(OpKind::Register) => instruction.op0_register().size() == ADDRESS_BYTES,
        Some(OpKind::Memory) => instruction.memory_size().size() == ADDRESS_BYTES,
        _ => false,
    };
    Some(match (instruction.flow_control(), instruction.mnemonic()) {
        _ if instruction.segment_prefix() == Register::GS => End::Refused(USES_GS),
        _ if instruction.is_invalid() => End::Refused("it has an instruction that is not known"),
        (_, Mnemonic::Cpuid) => End::Identify,
        (FlowControl::Next, mnemonic) => return refusal(instruction, mnemonic).map(End::Refused),
        (FlowControl::Exception, _) | (_, Mnemonic::Int3) => End::Fault,
        (_, Mnemonic::Syscall) => End::System,
        (FlowControl::UnconditionalBranch, _) if near => End::Jump,
        (FlowControl::Call, _) if near => End::Call,
        (FlowControl::ConditionalBranch, _) if near && instruction.is_jcc_short_or_near() => {
            End::Condition
        }
        (FlowControl::ConditionalBranch, _) if near => End::Counted,
        (FlowControl::Return, Mnemonic::Ret) if instruction.stack_pointer_increment() >= 8 => {
            End::Return
        }
        (FlowControl::IndirectBranch, Mnemonic::Jmp) if whole => End::IndirectJump,
        (FlowControl::IndirectCall, Mnemonic::Call) if whole => End::IndirectCall,
        _ => End::Refused("it has a jump that is not supported"),
    })
}

/// Returns why a copy of an ordinary instruction would behave differently from the original.
fn refusal(instruction: &Instruction, mnemonic: Mnemonic) -> Option<&'static str> {
    let to_segment = instruction.op_count() > 0
        && matches!(instruction.op0_register(), Register::FS | Register::GS | Register::SS);
    match mnemonic {
        Mnemonic::Wrfsbase => Some("it sets the base of its thread's data itself"),
        Mnemonic::Rdgsbase | Mnemonic::Wrgsbase => Some(USES_GS),
        Mnemonic::Mov | Mnemonic::Pop | Mnemonic::Lfs | Mnemonic::Lgs | Mnemonic::Lss
            if to_segment =>
        {
            Some("it sets a segment register")
        }
        _ if instruction.memory_base() == Register::EIP => Some("it has addresses of 32 bits"),
        _ => None,
    }
}
