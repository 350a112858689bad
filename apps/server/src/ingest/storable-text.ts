/** PostgreSQL keeps no zero byte in a text, and one such name must not stop a whole batch. */
export const storableText = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)
