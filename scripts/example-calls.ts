import type { Demo } from './demo.ts';
import { type Answer, call, post } from './http.ts';
import { type Call, headersOf, methodOf, type Save } from './reference/examples/snippets.ts';

/** Values of the variables in example calls, by name. */
export type Variables = Record<string, string>;

/** The shell variables that "Getting started" sets. */
export async function variablesOf(demo: Demo): Promise<Variables> {
  const [shop] = demo.shops;
  const API = `${demo.base_url}/api/v2/public/orgs/${demo.org_id}`;
  const answer = await post(`${API}/auth/token`, { 'X-API-Key': demo.api_key }, '');
  return {
    API,
    TOKEN: JSON.parse(answer.body).access_token,
    API_KEY: demo.api_key,
    INTEGRATION_KEY: demo.integration_key,
    SHOP_ID: shop?.shop_id ?? '',
    SHOP_URL: shop?.url ?? '',
  };
}

/** Makes a call. Variables in it are replaced by their values. */
export async function send(step: Call, variables: Variables): Promise<Answer> {
  const own = Object.entries(headersOf(step)).map(([name, value]) => [name, filled(value, variables)]);
  const headers = { ...Object.fromEntries(own), ...(step.body && { 'Content-Type': 'application/json' }) };
  const body = step.body && filled(JSON.stringify(step.body), variables);
  return call(methodOf(step), filled(step.path, variables), headers, body);
}

export function filled(text: string, variables: Variables): string {
  return text.replace(/\$([A-Z0-9_]+)/g, (_, name) => {
    const value = variables[name];
    if (value === undefined) throw new Error(`Nothing sets $${name}.`);
    return value;
  });
}

/** Returns the text at a path in the response. */
export function pick(answer: string, { at }: Save): string {
  const names = at.split(/[.[\]]+/).filter(Boolean);
  const value = names.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)?.[name], JSON.parse(answer));
  if (typeof value !== 'string') throw new Error(`The answer has no ${at}: ${answer}`);
  return value;
}
