;; What every forged plugin starts with. The memory and the data stand in front of this.

;; The bump allocator that the host lowers values with.
(func $allocate (param $len i32) (result i32)
  (local $at i32)
  (local.set $at (i32.and (i32.add (global.get $heap) (i32.const 15)) (i32.const -16)))
  (global.set $heap (i32.add (local.get $at) (local.get $len)))
  (block $enough
    (br_if $enough (i32.le_u (global.get $heap) (i32.shl (memory.size) (i32.const 16))))
    (br_if $enough
      (i32.ne (i32.const -1)
        (memory.grow
          (i32.add (i32.const 1)
            (i32.shr_u
              (i32.sub (global.get $heap) (i32.shl (memory.size) (i32.const 16)))
              (i32.const 16))))))
    unreachable)
  (local.get $at))

;; The first number in the arguments; 0 without one.
(func $number (param $at i32) (param $len i32) (result i64)
  (local $end i32) (local $char i32) (local $value i64) (local $seen i32)
  (local.set $end (i32.add (local.get $at) (local.get $len)))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $char (i32.sub (i32.load8_u (local.get $at)) (i32.const 48)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.lt_u (local.get $char) (i32.const 10))
        (then
          (local.set $seen (i32.const 1))
          (local.set $value
            (i64.add (i64.mul (local.get $value) (i64.const 10)) (i64.extend_i32_u (local.get $char)))))
        (else (br_if $done (local.get $seen))))
      (br $next)))
  (local.get $value))

;; The result {"value":N} of a successful call; the address of the result area.
(func $answer (param $value i64) (result i32)
  (local $at i32) (local $end i32) (local $negative i32) (local $area i32)
  (local.set $end (i32.add (call $allocate (i32.const 48)) (i32.const 40)))
  (local.set $at (local.get $end))
  (if (i64.lt_s (local.get $value) (i64.const 0))
    (then
      (local.set $negative (i32.const 1))
      (local.set $value (i64.sub (i64.const 0) (local.get $value)))))
  (i32.store8 (local.get $at) (i32.const 125))
  (loop $digit
    (local.set $at (i32.sub (local.get $at) (i32.const 1)))
    (i32.store8 (local.get $at)
      (i32.add (i32.const 48) (i32.wrap_i64 (i64.rem_u (local.get $value) (i64.const 10)))))
    (local.set $value (i64.div_u (local.get $value) (i64.const 10)))
    (br_if $digit (i64.ne (local.get $value) (i64.const 0))))
  (if (local.get $negative)
    (then
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.const 45))))
  (local.set $at (i32.sub (local.get $at) (i32.const 9)))
  (i64.store (local.get $at) (i64.const 0x2265756c6176227b)) ;; {"value"
  (i32.store8 offset=8 (local.get $at) (i32.const 58))
  (local.set $area (call $allocate (i32.const 16)))
  (i32.store8 (local.get $area) (i32.const 0))
  (i32.store offset=4 (local.get $area) (local.get $at))
  (i32.store offset=8 (local.get $area)
    (i32.sub (i32.add (local.get $end) (i32.const 1)) (local.get $at)))
  (local.get $area))
