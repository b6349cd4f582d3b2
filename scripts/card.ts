import { relative } from 'node:path';
import type { Demo } from './demo.ts';
import { PATHS } from './paths.ts';
import { onePagePdf } from './pdf.ts';

/** The summary on the terminal once the service has started. At most 100 columns wide, except for the curl command. */
export function card(demo: Demo, hasReceiver: boolean): string {
  const reference = `RX-${Date.now().toString(36).toUpperCase()}`;
  return `
Offizin is running. Ctrl+C ends it; what it holds stays (npm start -- --fresh begins anew).

  Service            ${demo.base_url}
  Sign in            ${demo.base_url}/manage
${signIns(demo)}
  Shops              ${demo.shops.map(({ url }) => url).join('\n                     ')}
  Organization       ${demo.org_id}
  API key            ${demo.api_key}
  Integration key    ${demo.integration_key}
  Test mode          ${demo.test.shops[0]?.url}
    organization     ${demo.test.org_id}
    API key          ${demo.test.api_key}
    integration key  ${demo.test.integration_key}
  Operator token     ${demo.operator_token}
  Webhooks go to     ${demo.subscription.url}
  All of this        ${here(PATHS.demo)}
  Log of the Worker  ${here(PATHS.log)}
  API reference      ${demo.base_url}/docs

Submit an order request with a prescription:

${curl(demo, reference)}

${hasReceiver ? PRINTED_HERE : 'The webhook goes to the address above: this terminal receives none.'}
`;
}

const PRINTED_HERE = `Its webhook is received, verified and printed here:
  <time>  order_request_submitted  <delivery id>  attempt 1  signature verified (…)
`;

/** One line for each demo person, with the password. */
function signIns({ members }: Demo): string {
  return members
    .map(({ email, password, role }) => `                     ${role.padEnd(12)}${email.padEnd(28)}${password}`)
    .join('\n');
}

function curl(demo: Demo, reference: string): string {
  const [shop] = demo.shops;
  return [
    `curl -sS ${shop?.url}/api/v1/external-order \\`,
    `  -H 'apikey: ${demo.integration_key}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(orderRequest(reference))}'`,
  ].join('\n');
}

/**
 * Returns the example order request. It must contain no apostrophe, because the shell command quotes its JSON with
 * apostrophes.
 */
function orderRequest(reference: string) {
  return {
    external_reference: reference,
    source: 'telemed.example',
    payload: {
      customer_name: 'Erika Mustermann',
      customer_email: 'erika.mustermann@example.com',
      address_street: 'Heidestraße 17',
      address_postal_code: '51147',
      address_city: 'Köln',
      shipping_option: 'Abholung',
      payment_status: 'cash_on_pickup',
      total_amount: 9.9,
      items: [{ name: 'Ibuprofen 400 mg Filmtabletten, 20 St', p1_id: 'P1-10001', quantity: 2, price: 4.95 }],
      prescription_pdf_base64: onePagePdf(`Rezept ${reference}`).toString('base64'),
    },
  };
}

function here(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}
