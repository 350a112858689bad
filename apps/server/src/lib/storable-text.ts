/** PostgreSQL keeps no zero byte in a text and no half of a character in JSON, and one such name must not stop a whole batch. */
export const storableText = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

/** Whether the database keeps a text as it is. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

/** The beginning of a text, at most so long, with no half of a character at its end. */
export function cutText(text: string, most: number): string {
  const cut = text.slice(0, most)
  return cut.isWellFormed() ? cut : storableText(cut.slice(0, -1))
}

/** JSON that the database takes, whatever the texts in it hold. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? storableText(each) : each))
