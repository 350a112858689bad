/**
 * All rows of a sweep for which a fact does not hold, each by the words it is made of and what is wrong with it: a sweep is one test that says all
 * of them at once. Throws when there is nothing to sweep.
 */
export async function offenders<Row extends readonly unknown[]>(
  rows: readonly Row[],
  fact: (...row: { -readonly [Place in keyof Row]: Row[Place] }) => unknown,
): Promise<string[]> {
  if (rows.length === 0) throw new Error('there is nothing to sweep')
  const wrong: string[] = []
  for (const row of rows) {
    try {
      await fact(...row)
    } catch (error) {
      const name = row.filter((each) => typeof each === 'string').join(' ')
      wrong.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return wrong
}
