/**
 * Changes something and reads it again before the change counts as done. It is read again also when the change failed: the answer
 * alone may be lost.
 */
export async function thenRead(change: () => Promise<unknown>, read: () => Promise<unknown>): Promise<void> {
  try {
    await change()
  } catch (error) {
    void read()
    throw error
  }
  await read()
}
