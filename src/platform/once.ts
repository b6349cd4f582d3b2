/**
 * A value that is made when it is first asked for, once per isolate. For what takes a millisecond or more and what most requests
 * do not need: made while modules load, it would delay the first request of every isolate.
 */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
