import { orNull, orNullAsync } from '../bytes';
import type { Material } from '../cms/material';
import { decoded } from './inflate';
import { Dict, Stream, type Value } from './objects';
import type { Revision } from './revision';

const KINDS = { Certs: 'certificates', OCSPs: 'ocsps', CRLs: 'crls' } as const;

/**
 * Puts what the document security store holds (ISO 32000-2 §12.8.4.3) into the material; what cannot be read is left
 * out. The lists by signature (VRI) hold nothing that these do not.
 */
export async function readSecurityStore(revision: Revision, material: Material): Promise<void> {
  const found = (value: Value | undefined) => orNullAsync(revision.resolve(value));
  const store = await found((await revision.catalog()).get('DSS'));
  if (!(store instanceof Dict)) return;
  for (const [key, kind] of Object.entries(KINDS)) {
    const list = await found(store.get(key));
    if (!Array.isArray(list)) continue;
    for (const each of list) {
      const stream = await found(each);
      if (!(stream instanceof Stream)) continue;
      const bytes = orNull(() => decoded(stream, material.budget));
      if (bytes) material.add(kind, bytes);
    }
  }
}
