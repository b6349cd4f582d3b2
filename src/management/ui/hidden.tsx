/**
 * A value that the form carries. Without `autocomplete` Firefox fills it, after a reload, with what it was before: the form of the
 * new page would be about what the old one showed.
 */
export function Hidden({ id, name, value }: { id?: string; name: string; value: string | number }) {
  return <input type="hidden" id={id} name={name} value={value} autocomplete="off" />;
}
