import { EVENT_TYPES } from '../../webhooks/service';
import { eventSchemaName } from '../webhooks';
import { type Reference, resolve } from './document';

const COMPONENT = '#/components/schemas/';

/** JSON Schemas of events by the names of their files; `event.json` is that of any event. */
export function schemaNames(): string[] {
  return ['event', ...EVENT_TYPES].map((name) => `${name}.json`);
}

/**
 * The JSON Schema of an event (draft 2020-12) as a file of its own. Members may be added to events: it takes those that it does not
 * know.
 */
export function schemaFile({ baseUrl, schemas }: Reference, file: string): string {
  const type = file.slice(0, -'.json'.length);
  const name = type === 'event' ? 'Event' : eventSchemaName(type);
  const defs: Record<string, unknown> = {};
  const referring = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referring);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === '$ref' ? define(String(member)) : referring(member)]),
    );
  };
  const define = (reference: string): string => {
    const of = reference.replace(COMPONENT, '');
    if (!(of in defs)) {
      defs[of] = {};
      defs[of] = referring(resolve(schemas[of] ?? {}, schemas));
    }
    return `#/$defs/${of}`;
  };
  const schema = referring(resolve(schemas[name] ?? {}, schemas)) as object;
  const id = `${baseUrl}/docs/schemas/${file}`;
  const whole = { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: id, title: name, ...schema };
  return `${JSON.stringify(Object.keys(defs).length > 0 ? { ...whole, $defs: defs } : whole, null, 2)}\n`;
}
