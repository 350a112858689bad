/**
 * Changes something and reads it again before the change counts as done. It is read again also when the change failed: the answer
 * alone may be lost.
 */
export async function thenRead<T>(change: () => Promise<T>, read: () => Promise<unknown>): Promise<T> {
  let answer: T
  try {
    answer = await change()
  } catch (error) {
    void read()
    throw error
  }
  await read()
  return answer
}
