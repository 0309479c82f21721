// Records a program's allocations from inside: malloc and its relatives, linked before glibc's own,
// which do the work.
//
// It is compiled apart from the program and linked before it. The runner passes a file as
// descriptor 3; `allocation_record.rs` in `libs/decode` reads the layout below. The file is mapped,
// so the record survives however the program ends, and the program never waits for a reader.
//
//   constructor  maps the file and starts; earlier allocations of libraries are not the program's
//   given        records an allocation: table of live blocks, sums, site, event, snapshot
//   taken        records a free
//   destructor   classifies the blocks that are left: left.hpp
//
// Nothing here calls malloc. A fork's child records nothing. Blocks that are not in the table (the
// loader's, other allocators', blocks that were freed twice) go to glibc unchanged.

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <elf.h>
#include <link.h>
#include <new>
#include <pthread.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

// Marks the hook's own code: calls from there are not the program's.
#define HOOK __attribute__((section("allocation_hook")))

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
// Missing before glibc 2.32.
extern char __libc_single_threaded __attribute__((weak));
extern void* __libc_stack_end;
// These allocate the buffers of streams.
bool sync_with_stdio(bool) __asm__("_ZNSt8ios_base15sync_with_stdioEb") __attribute__((weak));
int _IO_file_doallocate(FILE*) __attribute__((weak));
// Defined by the linker and the C library.
extern char __executable_start, etext, __data_start, __start_allocation_hook, __stop_allocation_hook;
}

namespace {

constexpr int FILE_DESCRIPTOR = 3;
constexpr uint64_t MAGIC = 0x31434f4c4c415753;
constexpr size_t MAX_FRAMES = 32;
// Maximum number of calls that are followed in one chain, including those of a recursion.
constexpr size_t MAX_CALLS = 256;
constexpr size_t MAX_SITES = 4096;
constexpr size_t MAX_EVENTS = 10000;
constexpr size_t MAX_SNAPSHOTS = 196;
constexpr size_t LEAST_SLOTS = 1 << 12;
// A table of 128 MiB, for 4 million live blocks.
constexpr size_t MOST_SLOTS = 1 << 23;
constexpr unsigned SITE_BITS = 12;
constexpr size_t STACK_BYTES = size_t{256} << 20;
constexpr size_t PAGE_BYTES = 4096;
constexpr int PATIENCE = 100;
// Number of calls whose functions are remembered.
constexpr size_t KNOWN_CALLS = 1 << 10;

enum Function : uint64_t {
    MALLOC, CALLOC, REALLOC, ALIGNED_ALLOC, POSIX_MEMALIGN, MEMALIGN, VALLOC, PVALLOC, NEW, FREE, DELETE,
};

struct Header {
    uint64_t magic;  // the runner's
    uint64_t unused, begun;
    uint64_t allocations, frees, allocated_bytes;
    uint64_t live_blocks, live_bytes;
    uint64_t peak_bytes, peak_blocks, peak_ns, peak_epoch;
    uint64_t untracked, calls, sites, snapshots, stride, last_ns;
    uint64_t told_apart;  // whether `left` is valid
    uint64_t more[13];
};
struct Site {
    uint64_t allocations, allocated_bytes, live_blocks, live_bytes;
    // Live bytes at the peak of `epoch`. If a later peak followed, `live_bytes` were live at the
    // last peak.
    uint64_t peak_bytes, epoch;
    uint64_t depth, for_stream;
    uint64_t frames[MAX_FRAMES];
};
struct Event { uint64_t time_ns, address, bytes, what; };
struct Snapshot { uint64_t time_ns, live_bytes, live_blocks; };
// Kind of a block that is left. The names are valgrind's.
enum Left : uint8_t { UNSEEN, LOST, INDIRECTLY_LOST, POSSIBLY_LOST, REACHABLE };
// A site's blocks that are left, without the reachable ones.
struct Unreachable { uint64_t blocks[REACHABLE - LOST], bytes[REACHABLE - LOST]; };
struct File {
    Header header;
    Site sites[MAX_SITES];  // the first is for all calls without a site of their own
    Event events[MAX_EVENTS];
    Snapshot snapshots[MAX_SNAPSHOTS];
    Unreachable left[MAX_SITES];
};
static_assert(sizeof(Header) == 256 && sizeof(Site) == 320, "shared with the runner");

// A live block; `what` holds its bytes and its site.
struct Block { uintptr_t address; uint64_t what; };
uint64_t bytes_of(Block block) { return block.what >> SITE_BITS; }
uint64_t site_of(Block block) { return block.what & (MAX_SITES - 1); }

// The switch is in a page that is all zeroes in a fork's child.
struct Switch { bool on; };
Switch off;
Switch* state = &off;
File* file;
uint64_t begun_ns;
// The number of calls at which the next snapshot is due.
uint64_t next_snapshot;
uintptr_t loader_begin, loader_end;
Block* table;
size_t slots, used;
uint16_t index_of_sites[2 * MAX_SITES];
// The functions of calls: the offset of a call in the program, and below it that of its function.
uint64_t functions[KNOWN_CALLS];
bool lock;
// Whether this thread is inside the hook. Allocations during that time, also by a signal handler,
// are not recorded.
__thread bool inside;
__thread uintptr_t stack_begin, stack_end;

HOOK bool records() { return state->on && !inside; }

class Guard {
    bool locked;
public:
    HOOK Guard() {
        locked = !&__libc_single_threaded || !__libc_single_threaded;
        for (int turn = 1; locked && __atomic_test_and_set(&lock, __ATOMIC_ACQUIRE); ++turn)
            if (turn % PATIENCE == 0) sched_yield();
    }
    HOOK ~Guard() {
        if (locked) __atomic_clear(&lock, __ATOMIC_RELEASE);
    }
};

// The slot at which a search begins. Neighbours within a page stay together, and adjacent pages
// begin far apart.
HOOK size_t home(uintptr_t address) {
    return ((address >> 4) + (address >> 12) * 37) & (slots - 1);
}

HOOK void place(Block block) {
    size_t at = home(block.address);
    while (table[at].address) at = (at + 1) & (slots - 1);
    table[at] = block;
}

HOOK void* map(size_t bytes) {
    const int before = errno;
    void* mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    errno = before;
    return mapped == MAP_FAILED ? nullptr : mapped;
}

HOOK bool has_room() {
    if (used < slots / 2) return true;
    if (slots == MOST_SLOTS) return false;
    Block* larger = static_cast<Block*>(map(2 * slots * sizeof(Block)));
    if (!larger) return false;
    Block* smaller = table;
    const size_t before = slots;
    table = larger;
    slots *= 2;
    for (size_t at = 0; at < before; ++at)
        if (smaller[at].address) place(smaller[at]);
    const int saved = errno;
    munmap(smaller, before * sizeof(Block));
    errno = saved;
    return true;
}

// Finds a block, and removes it from the table.
HOOK bool find(uintptr_t address, Block& block) {
    const size_t mask = slots - 1;
    size_t hole = home(address);
    while (table[hole].address != address) {
        if (!table[hole].address) return false;
        hole = (hole + 1) & mask;
    }
    block = table[hole];
    for (size_t at = (hole + 1) & mask; table[at].address; at = (at + 1) & mask) {
        if (((at - home(table[at].address)) & mask) >= ((at - hole) & mask)) {
            table[hole] = table[at];
            hole = at;
        }
    }
    table[hole].address = 0;
    --used;
    return true;
}

HOOK uint64_t now_ns() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t ns = uint64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
    if (!begun_ns) begun_ns = ns;
    return ns - begun_ns;
}

HOOK bool in_hook(uintptr_t code) {
    return code >= uintptr_t(&__start_allocation_hook) && code < uintptr_t(&__stop_allocation_hook);
}

HOOK bool in_program(uintptr_t code) {
    return code >= uintptr_t(&__executable_start) && code < uintptr_t(&etext) && !in_hook(code);
}

// Whether `frame` is on this thread's own stack: from there to the stack's end everything can be
// read.
HOOK bool on_stack(uintptr_t frame) {
    if (!stack_end) {
        const uintptr_t end = uintptr_t(__libc_stack_end);
        pthread_attr_t attributes;
        void* begin;
        size_t bytes;
        if (frame < end && end - frame < STACK_BYTES) {
            stack_begin = end - STACK_BYTES;
            stack_end = end;
        } else if (!pthread_getattr_np(pthread_self(), &attributes)) {
            if (!pthread_attr_getstack(&attributes, &begin, &bytes)) {
                stack_begin = uintptr_t(begin);
                stack_end = stack_begin + bytes;
            }
            pthread_attr_destroy(&attributes);
        }
    }
    return frame >= stack_begin && frame < stack_end;
}

struct Trace {
    size_t depth, calls;
    bool for_stream;
    uint64_t frames[MAX_FRAMES];
    // Addresses at which the functions of these frames begin.
    uintptr_t begins[MAX_FRAMES];
};

// The address at which the function of a call begins. Without unwind tables, every call has a function of its own.
HOOK uintptr_t function_of(uintptr_t code) {
    const uintptr_t base = uintptr_t(&__executable_start);
    const uint64_t offset = code - base;
    uint64_t& place = functions[offset % KNOWN_CALLS];
    const uint64_t known = __atomic_load_n(&place, __ATOMIC_RELAXED);
    if (known >> 32 == offset) return base + uint32_t(known);
    const uintptr_t found = uintptr_t(_Unwind_FindEnclosingFunction(reinterpret_cast<void*>(code)));
    const uintptr_t begin = found ? found : code;
    __atomic_store_n(&place, offset << 32 | uint32_t(begin - base), __ATOMIC_RELAXED);
    return begin;
}

// Adds the next outer call. If its function is in the chain already, a recursion lies between the
// two, and only the innermost is kept: otherwise, every depth would be a site.
HOOK void add(Trace& trace, uintptr_t code, uintptr_t function) {
    ++trace.calls;
    for (size_t at = 0; at < trace.depth; ++at) {
        if (trace.begins[at] != function) continue;
        trace.depth = at + 1;
        return;
    }
    trace.begins[trace.depth] = function;
    trace.frames[trace.depth++] = code;
}

// Whether this function allocates buffers for streams, which their library keeps until the end.
HOOK bool buffers_streams(uintptr_t function) {
    return function && (function == uintptr_t(sync_with_stdio) || function == uintptr_t(_IO_file_doallocate));
}

HOOK _Unwind_Reason_Code unwound(_Unwind_Context* context, void* into) {
    Trace& trace = *static_cast<Trace*>(into);
    const uintptr_t code = _Unwind_GetIP(context);
    const bool own = in_program(code);
    if (own) add(trace, code, function_of(code));
    else if (buffers_streams(_Unwind_GetRegionStart(context))) trace.for_stream = true;
    const bool ends = trace.calls == MAX_FRAMES || (trace.depth && !own && !in_hook(code));
    return ends ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

// Follows the program's calls, the innermost first. The program's own code has frame pointers.
// Libraries have none, so a library call ends the chain, unless it is the innermost: then the
// unwind tables lead to its caller.
HOOK void follow(uintptr_t frame, Trace& trace) {
    trace.depth = trace.calls = 0;
    trace.for_stream = false;
    const auto word = [](uintptr_t at) { return *reinterpret_cast<uintptr_t*>(at); };
    const uintptr_t caller = word(frame + sizeof frame);
    if ((!in_program(caller) && !in_hook(caller)) || !on_stack(frame)) {
        _Unwind_Backtrace(unwound, &trace);
        return;
    }
    while (trace.depth < MAX_FRAMES && trace.calls < MAX_CALLS) {
        const uintptr_t code = word(frame + sizeof frame);
        if (in_program(code)) add(trace, code, function_of(code));
        else if (!in_hook(code)) return;
        const uintptr_t outer = word(frame);
        if (outer <= frame || outer % sizeof outer || outer + 2 * sizeof outer > stack_end) return;
        frame = outer;
    }
}

HOOK uint64_t site(const Trace& trace) {
    uint64_t hash = trace.depth << 1 | trace.for_stream;
    for (size_t at = 0; at < trace.depth; ++at) hash = (hash ^ trace.frames[at]) * 0x9e3779b97f4a7c15;
    size_t at = (hash >> 40) % (2 * MAX_SITES);
    const size_t bytes = trace.depth * sizeof trace.frames[0];
    for (; index_of_sites[at]; at = (at + 1) % (2 * MAX_SITES)) {
        const Site& known = file->sites[index_of_sites[at]];
        if (known.depth == trace.depth && known.for_stream == trace.for_stream &&
            !memcmp(known.frames, trace.frames, bytes)) return index_of_sites[at];
    }
    Header& header = file->header;
    if (header.sites >= MAX_SITES) return 0;
    Site& fresh = file->sites[header.sites];
    memcpy(fresh.frames, trace.frames, bytes);
    fresh.depth = trace.depth;
    fresh.for_stream = trace.for_stream;
    fresh.epoch = header.peak_epoch;
    index_of_sites[at] = uint16_t(header.sites);
    return header.sites++;
}

// Prepares a site before its live bytes change.
HOOK Site& changing(uint64_t at) {
    Site& site = file->sites[at];
    if (site.epoch != file->header.peak_epoch) {
        site.peak_bytes = site.live_bytes;
        site.epoch = file->header.peak_epoch;
    }
    return site;
}

HOOK void snapshot(uint64_t time_ns) {
    Header& header = file->header;
    // The number of calls can skip a value, because a block that moves counts as two calls.
    if (header.calls < next_snapshot) return;
    if (header.snapshots == MAX_SNAPSHOTS) {
        for (size_t at = 0; at < MAX_SNAPSHOTS / 2; ++at) file->snapshots[at] = file->snapshots[2 * at];
        header.snapshots = MAX_SNAPSHOTS / 2;
        header.stride *= 2;
    }
    next_snapshot = header.calls + header.stride;
    file->snapshots[header.snapshots++] = {time_ns, header.live_bytes, header.live_blocks};
}

HOOK void event(uint64_t time_ns, uintptr_t address, uint64_t bytes, uint64_t site, Function function) {
    Header& header = file->header;
    if (header.calls < MAX_EVENTS) file->events[header.calls] = {time_ns, address, bytes, site | function << 32};
    ++header.calls;
    header.last_ns = time_ns;
}

HOOK void release(Block block) {
    Header& header = file->header;
    --header.live_blocks;
    header.live_bytes -= bytes_of(block);
    Site& site = changing(site_of(block));
    --site.live_blocks;
    site.live_bytes -= bytes_of(block);
}

HOOK void acquire(uintptr_t address, uint64_t bytes, const Trace& trace, Function function) {
    Header& header = file->header;
    const uint64_t time_ns = now_ns();
    const uint64_t number = site(trace);
    ++header.allocations;
    header.allocated_bytes += bytes;
    Site& of = changing(number);
    ++of.allocations;
    of.allocated_bytes += bytes;
    if (has_room()) {
        place({address, bytes << SITE_BITS | number});
        ++used;
        ++header.live_blocks;
        header.live_bytes += bytes;
        ++of.live_blocks;
        of.live_bytes += bytes;
        if (header.live_bytes > header.peak_bytes) {
            header.peak_bytes = header.live_bytes;
            header.peak_blocks = header.live_blocks;
            header.peak_ns = time_ns;
            ++header.peak_epoch;
        }
    } else {
        ++header.untracked;
    }
    event(time_ns, address, bytes, number, function);
    snapshot(time_ns);
}

HOOK void* given(void* address, size_t bytes, Function function, void* frame) {
    const uintptr_t caller = reinterpret_cast<uintptr_t*>(frame)[1];
    if (!address || !records() || (caller >= loader_begin && caller < loader_end)) return address;
    inside = true;
    Trace trace;
    follow(uintptr_t(frame), trace);
    {
        Guard guard;
        acquire(uintptr_t(address), bytes, trace, function);
    }
    inside = false;
    return address;
}

// Record this before glibc gets the block, because another thread may be given the same block at
// once.
HOOK void taken(void* address, Function function) {
    if (!address || !records()) return;
    inside = true;
    {
        Guard guard;
        Block block;
        if (find(uintptr_t(address), block)) {
            ++file->header.frees;
            release(block);
            const uint64_t time_ns = now_ns();
            event(time_ns, block.address, 0, site_of(block), function);
            snapshot(time_ns);
        }
    }
    inside = false;
}

HOOK void* resized(void* old, size_t bytes, void* frame) {
    if (!old) return given(__libc_realloc(old, bytes), bytes, REALLOC, frame);
    Block block;
    bool known = false;
    if (records()) {
        inside = true;
        {
            Guard guard;
            known = find(uintptr_t(old), block);
        }
        inside = false;
    }
    void* address = __libc_realloc(old, bytes);
    if (!known) return address;
    inside = true;
    Trace trace;
    if (address) follow(uintptr_t(frame), trace);
    {
        Guard guard;
        if (!address && bytes) {
            // Refused: the block stays where it was. Its slot has just become free, so there is
            // room.
            place(block);
            ++used;
        } else {
            ++file->header.frees;
            release(block);
            if (address != old) event(now_ns(), block.address, 0, site_of(block), FREE);
            if (address) acquire(uintptr_t(address), bytes, trace, REALLOC);
        }
    }
    inside = false;
    return address;
}

HOOK void find_loader() {
    loader_begin = loader_end = getauxval(AT_BASE);
    if (!loader_begin) return;
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(loader_begin);
    const auto* segment = reinterpret_cast<const Elf64_Phdr*>(loader_begin + header->e_phoff);
    for (int at = 0; at < header->e_phnum; ++at) {
        const uintptr_t end = loader_begin + segment[at].p_vaddr + segment[at].p_memsz;
        if (segment[at].p_type == PT_LOAD && end > loader_end) loader_end = end;
    }
}

HOOK __attribute__((constructor(101))) void begin() {
    struct stat about;
    if (fstat(FILE_DESCRIPTOR, &about) || !S_ISREG(about.st_mode)) return;
    if (size_t(about.st_size) != sizeof(File)) return;
    void* mapped = mmap(nullptr, sizeof(File), PROT_READ | PROT_WRITE, MAP_SHARED, FILE_DESCRIPTOR, 0);
    if (mapped == MAP_FAILED) return;
    file = static_cast<File*>(mapped);
    if (file->header.magic != MAGIC) return;
    // The program must see the same free descriptors as without the hook.
    close(FILE_DESCRIPTOR);
    slots = LEAST_SLOTS;
    table = static_cast<Block*>(map(slots * sizeof(Block)));
    void* page = map(PAGE_BYTES);
    if (!table || !page || madvise(page, PAGE_BYTES, MADV_WIPEONFORK)) return;
    find_loader();
    file->header.sites = file->header.stride = file->header.begun = 1;
    state = static_cast<Switch*>(page);
    state->on = true;
}

#include "left.hpp"

HOOK bool is_power(size_t number) { return number && !(number & (number - 1)); }

}  // namespace

#define HERE __builtin_frame_address(0)

extern "C" {

HOOK void* malloc(size_t bytes) { return given(__libc_malloc(bytes), bytes, MALLOC, HERE); }
HOOK void* calloc(size_t count, size_t bytes) {
    return given(__libc_calloc(count, bytes), count * bytes, CALLOC, HERE);
}
HOOK void* realloc(void* old, size_t bytes) { return resized(old, bytes, HERE); }
HOOK void* memalign(size_t alignment, size_t bytes) {
    return given(__libc_memalign(alignment, bytes), bytes, MEMALIGN, HERE);
}
HOOK void* aligned_alloc(size_t alignment, size_t bytes) {
    return given(__libc_memalign(alignment, bytes), bytes, ALIGNED_ALLOC, HERE);
}
HOOK int posix_memalign(void** address, size_t alignment, size_t bytes) {
    if (alignment % sizeof(void*) || !is_power(alignment)) return EINVAL;
    const int before = errno;
    void* made = __libc_memalign(alignment, bytes);
    errno = before;
    if (!made) return ENOMEM;
    *address = given(made, bytes, POSIX_MEMALIGN, HERE);
    return 0;
}
HOOK void* valloc(size_t bytes) {
    return given(__libc_memalign(PAGE_BYTES, bytes), bytes, VALLOC, HERE);
}
HOOK void* pvalloc(size_t bytes) {
    const size_t whole = (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
    return given(__libc_memalign(PAGE_BYTES, whole), bytes, PVALLOC, HERE);
}
HOOK void free(void* address) {
    taken(address, FREE);
    __libc_free(address);
}

}  // extern "C"

// Weak, because a program may define its own.
__attribute__((weak)) HOOK void* operator new(size_t bytes) {
    for (;;) {
        // At least one byte, because no two objects may have the same address.
        if (void* made = __libc_malloc(bytes ? bytes : 1)) return given(made, bytes, NEW, HERE);
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}
__attribute__((weak)) HOOK void* operator new[](size_t bytes) { return operator new(bytes); }
__attribute__((weak)) HOOK void operator delete(void* address) noexcept {
    taken(address, DELETE);
    __libc_free(address);
}
__attribute__((weak)) HOOK void operator delete(void* address, size_t) noexcept { operator delete(address); }
__attribute__((weak)) HOOK void operator delete[](void* address) noexcept { operator delete(address); }
__attribute__((weak)) HOOK void operator delete[](void* address, size_t) noexcept { operator delete(address); }
