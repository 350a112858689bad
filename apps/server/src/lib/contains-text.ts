/** Whether a text contains this part, whatever its case; every text contains an empty one. */
export const containsText = (text: string, part = ''): boolean => text.toLowerCase().includes(part.trim().toLowerCase())
