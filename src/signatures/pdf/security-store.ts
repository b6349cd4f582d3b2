import { orNull } from '../bytes';
import type { Material } from '../cms/material';
import { decoded } from './inflate';
import { Dict, Stream, type Value } from './objects';
import type { Revision } from './revision';

const KINDS = { Certs: 'certificates', OCSPs: 'ocsps', CRLs: 'crls' } as const;

/**
 * Puts what the document security store holds (ISO 32000-2 §12.8.4.3) into the material; what cannot be read is left
 * out. The lists by signature (VRI) hold nothing that these do not.
 */
export function readSecurityStore(revision: Revision, material: Material): void {
  const found = (value: Value | undefined) => orNull(() => revision.resolve(value));
  const store = found(revision.catalog().get('DSS'));
  if (!(store instanceof Dict)) return;
  for (const [key, kind] of Object.entries(KINDS)) {
    const list = found(store.get(key));
    if (!Array.isArray(list)) continue;
    for (const each of list) {
      const stream = found(each);
      if (!(stream instanceof Stream)) continue;
      const bytes = orNull(() => decoded(stream, material.budget));
      if (bytes) material.add(kind, bytes);
    }
  }
}
