/** Does one work after the other, whatever becomes of those before; throws what the first of the failed ones threw when all had their turn. */
export async function sequential(works: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const work of works) await work().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
