import { Validator } from '@cfworker/json-schema';
import { membersOf, problemsIn, withoutReferences } from '../../src/public-api/references.ts';
import type { Schema } from './schema.ts';

export interface MediaType {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, { value: Record<string, unknown> }>;
}

export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, MediaType> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    securitySchemes: { accessToken: { flows: { clientCredentials: { scopes: Record<string, string> } } } };
  };
}

/** The OpenAPI document of the service. */
export class Document {
  private readonly openApi: OpenApi;
  private readonly validators = new Map<string, Validator>();

  constructor(text: string) {
    this.openApi = withoutReferences(JSON.parse(text));
  }

  get schemas(): Record<string, Schema> {
    return this.openApi.components.schemas;
  }

  get scopes(): string[] {
    return Object.keys(this.openApi.components.securitySchemes.accessToken.flows.clientCredentials.scopes);
  }

  /** Every operation, as `POST /path/{id}`. */
  get operations(): string[] {
    return Object.entries(this.openApi.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => /^(get|post|put|patch|delete)$/.test(key))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** The operation that a path of the router stands for: `/orgs/:orgId/orders`. */
  operation(method: string, routePath: string): Operation | undefined {
    return this.openApi.paths[routePath.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')]?.[method.toLowerCase()];
  }

  /** The members that the problem document of a code may have; undefined where the code is none of the response. */
  membersOf(schema: Schema, code: string): string[] | undefined {
    const name = problemsIn(schema as Parameters<typeof problemsIn>[0]).get(code);
    return name === undefined ? undefined : membersOf(name, this.schemas);
  }

  /** What of a value does not fit a schema; empty when it fits. @param name of the schema, the same for the same one */
  misfits(name: string, schema: Schema, value: unknown): string[] {
    const { components } = this.openApi;
    // SAFETY: both types describe JSON Schema; the validator's has more members.
    const whole = { ...schema, components: { schemas: components.schemas } } as ConstructorParameters<
      typeof Validator
    >[0];
    const validator = this.validators.get(name) ?? new Validator(whole, '2020-12', false);
    this.validators.set(name, validator);
    return validator.validate(value).errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
  }
}
