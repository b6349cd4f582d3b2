import { expect, test } from 'vitest';
import { actorText } from '../../src/management/ui/order-summary';

const [KIM, KEY, GONE] = ['m-kim', 'k-erp', '019aa0b2-0000-7000-8000-00000000beef'];
const NAMES = new Map([
  [KIM, 'Kim Öztürk'],
  [KEY, 'erp'],
]);

test.each([
  ['staff', KIM, 'Kim Öztürk', 'Kim Öztürk'],
  ['staff', GONE, 'Ehemalige Person 00000000beef', 'Former team member 00000000beef'],
  ['api_key', KEY, 'erp (API-Schlüssel)', 'erp (API key)'],
  ['api_key', GONE, 'API-Schlüssel 00000000beef', 'API key 00000000beef'],
  ['operator', 'deploy', 'deploy (Betreiber von Offizin)', 'deploy (Operator of Offizin)'],
  ['system', null, 'Offizin (automatisch)', 'Offizin (automatic)'],
  [null, null, 'Unbekannt', 'Unknown'],
])('who is of the kind %s with the id %s is called by name, or by what it is', (actorKind, actorId, de, en) => {
  const said = (['de', 'en'] as const).map((language) => actorText({ language }, { actorKind, actorId }, NAMES));
  expect(said).toEqual([de, en]);
});
