/** PostgreSQL keeps no zero byte in a text and no half of a character in JSON, and one such name must not stop a whole batch. */
export const storableText = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

/** Whether the database keeps a text as it is. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
