/**
 * Marks a branch that the compiler has proven unreachable: a union that gains a member stops compiling here.
 *
 * @throws Error where a value from outside the program's types reached the branch after all.
 */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value of type ${typeof value}`);
}
