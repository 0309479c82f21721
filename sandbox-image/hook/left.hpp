// Classifies the blocks that are left at the end, as valgrind's memcheck does in mc_leakcheck.c.
// Included once, by allocations.cpp, in its namespace.
//
// For this, the table is sorted by address, and `used` is its length. No static variable holds the
// address of a block, because that would be a pointer to the block. Unlike valgrind, the hook does
// not know which words were ever written: an old pointer that was not overwritten keeps a block
// reachable. Nor does it search memory that the program maps itself: a block to which only such
// memory points is lost.

// Maximum number of waits for a joined thread that the kernel has not removed yet.
constexpr int MOST_WAITS = 1000;
// The registers that a called function preserves, by their numbers in unwind tables.
#ifdef __aarch64__
constexpr int PRESERVED[] = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#else
constexpr int PRESERVED[] = {3, 6, 12, 13, 14, 15};
#endif
constexpr size_t REGISTERS = sizeof PRESERVED / sizeof *PRESERVED;

uint8_t* left;
uint32_t* queue;
size_t queued, leader;
sigjmp_buf unreadable;

HOOK void escape(int) { siglongjmp(unreadable, 1); }

// The index of the block that contains an address, or `used` if there is none. An empty block
// counts as one byte.
HOOK size_t block_around(uintptr_t address) {
    size_t low = 0, high = used;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (table[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    if (!low) return used;
    const Block block = table[low - 1];
    return address - block.address < std::max<uint64_t>(bytes_of(block), 1) ? low - 1 : used;
}

HOOK uintptr_t word_at(uintptr_t address) {
    typedef uintptr_t __attribute__((may_alias)) Word;
    return *reinterpret_cast<const Word*>(address);
}

// Whether a word may be the address of a table of virtual functions.
HOOK bool is_vtable(uintptr_t word) { return word >= uintptr_t(&etext) && word < uintptr_t(&__data_start); }

// Whether an address is one by which C++ can hold a whole block: its start, the first element of an
// array whose length comes first, or the second base of an object.
HOOK bool is_start(uintptr_t address, Block block) {
    const uint64_t offset = address - block.address, bytes = bytes_of(block);
    if (offset % sizeof offset || offset + sizeof offset > bytes) return offset == 0;
    const uint64_t first = word_at(block.address);
    return offset == 0 || (offset == sizeof first && first && (bytes - sizeof first) % first == 0) ||
           (is_vtable(first) && is_vtable(word_at(address)));
}

// Classifies the block that a word points to. `from` is the kind of the memory that holds the word.
HOOK void meet(uintptr_t word, Left from, bool library) {
    const size_t at = block_around(word);
    if (at == used) return;
    const uint8_t before = left[at];
    if (from == REACHABLE) {
        if (before == REACHABLE) return;
        if (!is_start(word, table[at])) {
            // The C library's allocator keeps addresses in the last bytes of blocks.
            if (!library) left[at] = POSSIBLY_LOST;
            return;
        }
    } else if (from == POSSIBLY_LOST) {
        if (before != UNSEEN) return;
    } else if (at == leader || (before != UNSEEN && before != LOST)) {
        return;
    }
    left[at] = from;
    queue[queued++] = uint32_t(at);
}

HOOK void search(uintptr_t begin, uintptr_t end, Left from, bool library = false) {
    const Block last = table[used - 1];
    const uintptr_t lowest = table[0].address, extent = last.address + bytes_of(last) - lowest;
    const size_t step = sizeof lowest;
    for (uintptr_t at = (begin + step - 1) / step * step; at + step <= end; at += step) {
        const uintptr_t word = word_at(at);
        if (word - lowest <= extent) meet(word, from, library);
    }
}

// Searches the blocks in the queue, and those that they point to.
HOOK void spread(Left from) {
    while (queued) {
        const Block block = table[queue[--queued]];
        search(block.address, block.address + bytes_of(block), from);
    }
}

// Searches the static and the thread-local variables of the program or a library.
HOOK int search_object(dl_phdr_info* object, size_t, void*) {
    const bool library = *object->dlpi_name;
    for (int at = 0; at < object->dlpi_phnum; ++at) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[at];
        uintptr_t begin = 0;
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_W) begin = object->dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_TLS) begin = uintptr_t(object->dlpi_tls_data);
        if (begin) search(begin, begin + segment.p_memsz, REACHABLE, library);
    }
    return 0;
}

// The caller of exit. The search begins there, because the frames of exit itself lie where the
// program's last calls have left their pointers.
struct Caller {
    bool is_next;
    uintptr_t stack, registers[REGISTERS];
};

HOOK _Unwind_Reason_Code find_caller(_Unwind_Context* context, void* into) {
    Caller& caller = *static_cast<Caller*>(into);
    if (!caller.is_next) {
        caller.is_next = _Unwind_GetRegionStart(context) == uintptr_t(exit);
        return _URC_NO_REASON;
    }
    caller.stack = _Unwind_GetCFA(context);
    for (size_t at = 0; at < REGISTERS; ++at) caller.registers[at] = _Unwind_GetGR(context, PRESERVED[at]);
    return _URC_NORMAL_STOP;
}

// Whether there is no other thread, whose stack would have to be searched.
HOOK bool is_alone() {
    struct stat threads;
    for (int turn = 0; turn < MOST_WAITS; ++turn) {
        if (stat("/proc/self/task", &threads)) return false;
        // The folder has two links of its own, and one for each thread.
        if (threads.st_nlink == 3) return true;
        sched_yield();
    }
    return false;
}

HOOK void tell_apart(const Caller& caller) {
    size_t blocks = 0;
    for (size_t at = 0; at < slots; ++at)
        if (table[at].address) table[blocks++] = table[at];
    used = blocks;
    file->header.told_apart = !used;
    left = static_cast<uint8_t*>(map(used));
    queue = static_cast<uint32_t*>(map(used * sizeof *queue));
    if (!used || !left || !queue) return;
    std::sort(table, table + used, [](Block one, Block other) { return one.address < other.address; });
    dl_iterate_phdr(search_object, nullptr);
    search(caller.stack, stack_end, REACHABLE);
    search(uintptr_t(caller.registers), uintptr_t(caller.registers + REGISTERS), REACHABLE);
    for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; ++key) {
        const void* const value[] = {pthread_getspecific(key)};
        search(uintptr_t(value), uintptr_t(value + 1), REACHABLE);
    }
    spread(REACHABLE);
    for (size_t at = 0; at < used; ++at)
        if (left[at] == POSSIBLY_LOST) queue[queued++] = uint32_t(at);
    spread(POSSIBLY_LOST);
    for (leader = 0; leader < used; ++leader) {
        if (left[leader] != UNSEEN) continue;
        left[leader] = LOST;
        queue[queued++] = uint32_t(leader);
        spread(INDIRECTLY_LOST);
    }
    for (size_t at = 0; at < used; ++at) {
        if (left[at] == REACHABLE) continue;
        Unreachable& of = file->left[site_of(table[at])];
        ++of.blocks[left[at] - LOST];
        of.bytes[left[at] - LOST] += bytes_of(table[at]);
    }
    file->header.told_apart = 1;
}

HOOK __attribute__((destructor(101))) void end() {
    if (!records()) return;
    inside = true;
    Caller caller = {};
    _Unwind_Backtrace(find_caller, &caller);
    if (!file->header.untracked && caller.stack && on_stack(caller.stack) && is_alone()) {
        state->on = false;
        struct sigaction escaping = {}, before[2];
        escaping.sa_handler = escape;
        sigaction(SIGSEGV, &escaping, &before[0]);
        sigaction(SIGBUS, &escaping, &before[1]);
        // A block may be unreadable, if the program protects its pages or overwrites the table.
        if (!sigsetjmp(unreadable, 1)) tell_apart(caller);
        sigaction(SIGSEGV, &before[0], nullptr);
        sigaction(SIGBUS, &before[1], nullptr);
    }
    inside = false;
}
