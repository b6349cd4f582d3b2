const MODULES = { openapi: '../../../scripts/reference/openapi/openapi', routes: '../../../src/public-api/routes' };

/** The OpenAPI document, as the Worker makes it. The modules are named at run time: their types are the Worker's. */
export async function openApiDocument(baseUrl: string): Promise<Record<string, unknown>> {
  const [{ openApiDocument: documentOf }, { endpoints }] = await Promise.all([
    import(/* @vite-ignore */ MODULES.openapi),
    import(/* @vite-ignore */ MODULES.routes),
  ]);
  return documentOf(baseUrl, endpoints);
}
