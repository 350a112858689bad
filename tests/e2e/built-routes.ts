/** The console's own list of what is built. Named by address, because its pages are made for a browser and not for the tests' compiler. */
export async function builtRoutes(): Promise<ReadonlySet<string>> {
  const file = new URL('../../apps/console/src/areas/pages.ts', import.meta.url).href
  const { builtPages } = (await import(file)) as { builtPages: Readonly<Record<string, unknown>> }
  return new Set(Object.keys(builtPages))
}
