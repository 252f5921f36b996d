//! A plugin's allocator: a small static arena first, the standard one when that is used up.
//!
//! The standard allocator begins with `memory.grow`, which the host answers with `mprotect`, and
//! once more when it takes the memory back. Both interrupt every processor that runs the host, so
//! they are what a short call would cost most, and what keeps many at once from scaling. The arena
//! is part of the memory that an instance starts with and needs neither. A call has an instance
//! of its own, so nothing is lost by giving back only what was allocated last.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};

/// Size of the arena in bytes: several times what a call needs that reads no file.
const SIZE: usize = 128 * 1024;

/// Larger allocations go to the standard allocator at once, so that one buffer does not use up
/// the arena. In bytes.
const LARGEST: usize = 16 * 1024;

/// The alignment of the arena, and the greatest it serves, in bytes.
const ALIGN: usize = 16;

#[cfg(all(target_arch = "wasm32", not(target_feature = "atomics")))]
#[global_allocator]
static HEAP: Heap = Heap::new();

#[repr(C, align(16))]
struct Heap {
    bytes: UnsafeCell<[u8; SIZE]>,
    used: Cell<usize>,
}

// SAFETY: the only shared instance exists where there are no threads.
unsafe impl Sync for Heap {}

impl Heap {
    const fn new() -> Self {
        Self {
            bytes: UnsafeCell::new([0; SIZE]),
            used: Cell::new(0),
        }
    }

    /// Where in the arena a pointer points, if it does.
    fn position(&self, pointer: *mut u8) -> Option<usize> {
        let position = pointer.addr().wrapping_sub(self.bytes.get().addr());
        (position < SIZE).then_some(position)
    }

    /// Takes bytes off the arena, if it has so many left.
    fn take(&self, layout: Layout) -> Option<*mut u8> {
        if layout.size() > LARGEST || layout.align() > ALIGN {
            return None;
        }
        let start = self.used.get().next_multiple_of(layout.align());
        let end = start + layout.size();
        if end > SIZE {
            return None;
        }
        self.used.set(end);
        // SAFETY: `start <= end <= SIZE`, so the result lies in the arena or at its end.
        Some(unsafe { self.bytes.get().cast::<u8>().add(start) })
    }

    /// Changes the size of the allocation that was made last, where it stands.
    fn resize_last(&self, position: usize, old: usize, new: usize) -> bool {
        let fits = position + old == self.used.get() && new <= SIZE - position;
        if fits {
            self.used.set(position + new);
        }
        fits
    }
}

// SAFETY: memory of the arena is handed out once until it is given back, in disjoint ranges of the
// layout asked for; all other requests are passed on to `System` with the layout they came with.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match self.take(layout) {
            Some(pointer) => pointer,
            // SAFETY: the caller's promises are those that `System` asks for.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        match self.position(pointer) {
            // What was not allocated last stays taken until the call ends.
            Some(position) => {
                self.resize_last(position, layout.size(), 0);
            }
            // SAFETY: not in the arena, so it came from `System` with this layout.
            None => unsafe { System.dealloc(pointer, layout) },
        }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Some(position) = self.position(pointer) else {
            // SAFETY: not in the arena, so it came from `System` with this layout.
            return unsafe { System.realloc(pointer, layout, size) };
        };
        if self.resize_last(position, layout.size(), size) || size <= layout.size() {
            return pointer;
        }
        // SAFETY: the caller promises that `size` is not 0 and does not overflow when rounded up
        // to the alignment, which is valid as it comes from a layout.
        let moved = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !moved.is_null() {
            // SAFETY: both are valid for the old size, which is the smaller one; the new
            // allocation is disjoint from all others.
            unsafe { std::ptr::copy_nonoverlapping(pointer, moved, layout.size()) };
        }
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(size: usize, align: usize) -> Layout {
        Layout::from_size_align(size, align).unwrap()
    }

    /// Fills an allocation with a value that only it has.
    fn fill(pointer: *mut u8, size: usize, value: u8) {
        assert!(!pointer.is_null());
        // SAFETY: the caller has just allocated so many bytes there.
        unsafe { pointer.write_bytes(value, size) };
    }

    fn holds(pointer: *mut u8, size: usize, value: u8) -> bool {
        // SAFETY: `fill` has written so many bytes there.
        unsafe { std::slice::from_raw_parts(pointer, size) }
            .iter()
            .all(|byte| *byte == value)
    }

    #[test]
    fn allocations_are_aligned_and_disjoint_also_beyond_the_arena() {
        let heap = Heap::new();
        let mut made = Vec::new();
        for number in 0..4000_usize {
            let layout = layout(1 + number % 97, 1 << (number % 6));
            // SAFETY: the size is not 0.
            let pointer = unsafe { heap.alloc(layout) };
            assert_eq!(pointer.addr() % layout.align(), 0);
            let value = u8::try_from(number % 251).unwrap();
            fill(pointer, layout.size(), value);
            made.push((pointer, layout, value));
        }
        assert!(made.iter().any(|(pointer, ..)| heap.position(*pointer).is_none()));
        for (pointer, layout, value) in made {
            assert!(holds(pointer, layout.size(), value));
            // SAFETY: allocated above with this layout.
            unsafe { heap.dealloc(pointer, layout) };
        }
    }

    #[test]
    fn growing_keeps_the_content_in_place_or_moved() {
        let heap = Heap::new();
        // SAFETY: no size is 0, and each layout is the one in force.
        unsafe {
            let first = heap.alloc(layout(100, 8));
            fill(first, 100, 1);
            assert_eq!(
                heap.realloc(first, layout(100, 8), 200),
                first,
                "the last one grows in place"
            );
            let second = heap.alloc(layout(100, 8));
            fill(second, 100, 2);
            let moved = heap.realloc(first, layout(200, 8), 300);
            assert_ne!(moved, first);
            assert!(holds(moved, 100, 1) && holds(second, 100, 2));
            let outside = heap.realloc(moved, layout(300, 8), 2 * SIZE);
            assert!(heap.position(outside).is_none());
            assert!(holds(outside, 100, 1));
            heap.dealloc(outside, layout(2 * SIZE, 8));
        }
    }

    #[test]
    fn what_was_allocated_last_is_given_back() {
        let heap = Heap::new();
        for _ in 0..SIZE {
            // SAFETY: the size is not 0, and it is freed with its layout.
            unsafe {
                let pointer = heap.alloc(layout(1000, 8));
                assert!(heap.position(pointer).is_some());
                heap.dealloc(pointer, layout(1000, 8));
            }
        }
    }

    #[test]
    fn large_allocations_leave_the_arena_alone() {
        let heap = Heap::new();
        // SAFETY: the size is not 0, and it is freed with its layout.
        unsafe {
            let pointer = heap.alloc(layout(LARGEST + 1, 8));
            assert!(heap.position(pointer).is_none());
            heap.dealloc(pointer, layout(LARGEST + 1, 8));
        }
        assert_eq!(heap.used.get(), 0);
    }
}
