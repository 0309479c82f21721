//! A decoded basic block: up to the next instruction after which execution may not go on with the
//! following one.

use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind, Register, RflagsBits,
};

/// The longest block; its count must fit a signed byte.
pub(crate) const BLOCK_LIMIT: usize = 48;
/// The longest instruction.
const INSTRUCTION_BYTES: usize = 15;
/// The size of a whole address.
const ADDRESS_BYTES: usize = 8;
/// The most bytes that a block can have.
pub(crate) const BLOCK_BYTES: usize = BLOCK_LIMIT * INSTRUCTION_BYTES;
/// The flags that addition changes, but for the adjust flag.
const FLAGS: u32 =
    RflagsBits::CF | RflagsBits::PF | RflagsBits::ZF | RflagsBits::SF | RflagsBits::OF;
/// The flag that logic leaves undefined, and that nothing but `pushf` and `lahf` can read.
const ADJUST: u32 = RflagsBits::AF;

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// With the longest block's last instruction, or before one that cannot be decoded.
    Next,
    Jump,
    Call,
    Condition,
    /// A conditional jump that looks at rcx, which has no long form.
    Counted,
    Return,
    IndirectJump,
    IndirectCall,
    System,
    /// An instruction that faults.
    Fault,
    /// The block's only instruction cannot be translated, for this reason.
    Refused(&'static str),
}

/// A decoded block.
pub(crate) struct Block {
    pub(crate) start: u32,
    /// The bytes, by which the instructions are copied.
    pub(crate) bytes: *const u8,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) end: End,
    /// Where the count can be added with an ordinary addition, if anywhere.
    pub(crate) place: Option<usize>,
    /// Whether no flag from before the block is used in it or after it.
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

    /// Decodes the block that begins at `start` with these bytes.
    pub(crate) fn decode(&mut self, start: u32, bytes: &'static [u8]) {
        let mut decoder = Decoder::with_ip(64, bytes, u64::from(start), DecoderOptions::NONE);
        self.start = start;
        self.bytes = bytes.as_ptr();
        self.end = End::Next;
        self.instructions.clear();
        while self.instructions.len() < BLOCK_LIMIT && decoder.can_decode() {
            let instruction = decoder.decode();
            let end = ending(&instruction);
            // What cannot be translated is a matter of the time when it is executed.
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

    /// The address behind the block.
    pub(crate) fn behind(&self) -> u32 {
        self.instructions.last().map_or(self.start, |last| crate::layout::absolute(last.next_ip()))
    }

    /// The address that a direct jump at the end leads to.
    pub(crate) fn target(&self) -> u64 {
        self.instructions.last().map_or(0, Instruction::near_branch_target)
    }

    /// Where execution surely goes on, if that is known.
    pub(crate) fn next(&self) -> Option<u64> {
        match self.end {
            End::Next | End::System => Some(u64::from(self.behind())),
            End::Jump | End::Call => Some(self.target()),
            _ => None,
        }
    }

    /// Finds out where flags are not needed; `after` says whether none is behind the block.
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

/// The flags that an instruction sets to something new, whatever its operands are.
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
    // A shift by nothing and a repetition of no times leave the flags as they are.
    if shifts || instruction.has_rep_prefix() || instruction.has_repne_prefix() {
        return 0;
    }
    let undefined = instruction.rflags_undefined();
    (instruction.rflags_modified() & !undefined) | undefined & ADJUST
}

/// How the block ends with this instruction, if it does.
fn ending(instruction: &Instruction) -> Option<End> {
    let kind = if instruction.op_count() > 0 { Some(instruction.op0_kind()) } else { None };
    let near = kind == Some(OpKind::NearBranch64);
    let whole = match kind {
        Some(OpKind::Register) => instruction.op0_register().size() == ADDRESS_BYTES,
        Some(OpKind::Memory) => instruction.memory_size().size() == ADDRESS_BYTES,
        _ => false,
    };
    Some(match (instruction.flow_control(), instruction.mnemonic()) {
        _ if instruction.is_invalid() => End::Refused("it has an instruction that is not known"),
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

/// Why a copy of an ordinary instruction would not do what the original does.
fn refusal(instruction: &Instruction, mnemonic: Mnemonic) -> Option<&'static str> {
    let to_segment = instruction.op_count() > 0
        && matches!(instruction.op0_register(), Register::FS | Register::SS);
    match mnemonic {
        Mnemonic::Wrfsbase => Some("it sets the base of its thread's data itself"),
        Mnemonic::Mov | Mnemonic::Pop | Mnemonic::Lfs | Mnemonic::Lss if to_segment => {
            Some("it sets a segment register")
        }
        _ if instruction.memory_base() == Register::EIP => Some("it has addresses of 32 bits"),
        _ => None,
    }
}
