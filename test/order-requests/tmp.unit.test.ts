import { test } from 'vitest';
import { differencesOf } from '../../src/order-requests/names/differences';
import { DANGEROUS } from './name-pairs/dangerous';
import { HARMLESS } from './name-pairs/harmless';

test('show', () => {
  const out: string[] = [];
  for (const [kind, list] of [
    ['D', DANGEROUS],
    ['H', HARMLESS],
  ] as const)
    for (const [says, name, product, q = 1, s = 1] of list) {
      const d = differencesOf(
        { name, quantity: q, priceCents: 1000 },
        {
          name: product,
          quantity: s,
          priceCents: 1000,
          productPriceCents: 1000,
          prescriptionRequired: false,
          content: null,
        },
      );
      const ack = d.filter((x) => x.severity === 'acknowledge');
      out.push(
        `${kind === 'H' && ack.length ? '!!' : '  '}${kind} ${says} | ${q} ${name} | ${s} ${product} => ${d.map((x) => `${x.code}${x.severity === 'marked' ? '~' : ''}[${x.values.map((v) => JSON.stringify(v)).join(' / ')}]`).join('; ')}`,
      );
    }
  require('node:fs').writeFileSync('/tmp/pairs.txt', out.join('\n'));
});
