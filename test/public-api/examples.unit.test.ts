import { expect, test } from 'vitest';
import { blockText, type Example, pythonText, typescriptText } from '../../scripts/reference/examples/snippets';

const EXAMPLE: Example = {
  setUp: [
    { why: 'A request', path: '$SHOP_URL/a', body: { n: 1 }, save: { variable: 'REQUEST_ID', at: 'data[0].id' } },
    { why: 'Again', path: '$SHOP_URL/a', body: {}, save: { variable: 'REQUEST_ID', at: 'id' } },
    { why: 'Unused', path: '$API/b', save: { variable: 'STATUS', at: 'status' } },
  ],
  method: 'PATCH',
  path: '$API/orders/$REQUEST_ID',
  headers: { 'If-Match': '"7"' },
  body: {
    text: `it's "so" {x} \`y\` \\ ü`,
    both: '$SHOP_ID-$REQUEST_ID',
    on: true,
    off: false,
    none: null,
    list: [1.5],
  },
};

test('the same calls in three languages: one that stores, one that need not, one with the text of another', () => {
  expect(
    typescriptText(EXAMPLE),
  ).toBe(`import { API, TOKEN, SHOP_URL, INTEGRATION_KEY, SHOP_ID, call } from './start.ts';

// A request
const requestId = (await call('POST', \`\${SHOP_URL}/a\`, {
  headers: { apikey: INTEGRATION_KEY },
  body: { n: 1 },
})).data[0].id;

// Again
await call('POST', \`\${SHOP_URL}/a\`, { headers: { apikey: INTEGRATION_KEY }, body: {} });

// Unused
await call('GET', \`\${API}/b\`, { headers: { Authorization: \`Bearer \${TOKEN}\` } });

console.log(await call('PATCH', \`\${API}/orders/\${requestId}\`, {
  headers: { Authorization: \`Bearer \${TOKEN}\`, 'If-Match': '"7"' },
  body: {
    text: 'it\\'s "so" {x} \`y\` \\\\ ü',
    both: \`\${SHOP_ID}-\${requestId}\`,
    on: true,
    off: false,
    none: null,
    list: [1.5],
  },
}));`);
  expect(pythonText(EXAMPLE)).toBe(`import json
from start import API, TOKEN, SHOP_URL, INTEGRATION_KEY, SHOP_ID, call

# A request
request_id = call(
    "POST", f"{SHOP_URL}/a",
    headers={"apikey": INTEGRATION_KEY},
    body={"n": 1},
)["data"][0]["id"]

# Again
call("POST", f"{SHOP_URL}/a", headers={"apikey": INTEGRATION_KEY}, body={})

# Unused
call("GET", f"{API}/b", headers={"Authorization": f"Bearer {TOKEN}"})

print(json.dumps(call(
    "PATCH", f"{API}/orders/{request_id}",
    headers={"Authorization": f"Bearer {TOKEN}", "If-Match": "\\"7\\""},
    body={
        "text": "it's \\"so\\" {x} \`y\` \\\\ ü",
        "both": f"{SHOP_ID}-{request_id}",
        "on": True,
        "off": False,
        "none": None,
        "list": [1.5],
    },
), indent=2))`);
  expect(blockText(EXAMPLE)).toContain('-H "If-Match: \\"7\\""');
});
