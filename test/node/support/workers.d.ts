/** What the product uses of Workers where its modules are checked against the types of Node. */
interface SubtleCrypto {
  timingSafeEqual(a: ArrayBufferView, b: ArrayBufferView): boolean;
}
